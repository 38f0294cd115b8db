import type { Analyser, Checked, Job, Subject, Trouble } from '../analysis.ts'

/** What a check is run on, and what receives its result. */
export interface ChecksOptions {
  readonly analyser: Analyser
  /** Time without a change before a check (ms). */
  readonly pause: number
  /** The open documents of a configuration. */
  textsOf(subject: Subject): Job['texts']
  /** Called with everything that is known to be wrong, for all files of the configuration. */
  publish(subject: Subject, troubles: readonly Trouble[]): void
  complain(text: string): void
}

interface State {
  readonly subject: Subject
  timer: NodeJS.Timeout | null
  isRunning: boolean
  isDirty: boolean
  checked: Checked | null
  findings: readonly Trouble[]
}

/**
 * Checks configurations while their files change: not sooner than a pause after the last change, and each one at a
 * time. Mistakes of lines are published first, findings of lint when nothing has changed meanwhile.
 */
export class Checks {
  readonly #options: ChecksOptions
  readonly #states = new Map<string, State>()
  #isClosed = false

  constructor(options: ChecksOptions) {
    this.#options = options
  }

  /** What the last check of a configuration knows. */
  checkedOf(subject: Subject): Checked | null {
    return this.#states.get(keyOf(subject))?.checked ?? null
  }

  /** A document of the configuration has changed. */
  changed(subject: Subject): void {
    if (this.#isClosed) return
    const key = keyOf(subject)
    const state = this.#states.get(key) ?? { subject, timer: null, isRunning: false, isDirty: false, checked: null, findings: [] }
    this.#states.set(key, state)
    state.isDirty = true
    if (state.timer !== null) clearTimeout(state.timer)
    state.timer = setTimeout(() => {
      state.timer = null
      void this.#run(state)
    }, this.#options.pause)
  }

  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#states.values()) if (timer !== null) clearTimeout(timer)
    this.#states.clear()
  }

  async #run(state: State): Promise<void> {
    if (state.isRunning || this.#isClosed) return
    state.isRunning = true
    try {
      while (state.isDirty && state.timer === null && !this.#isClosed) {
        state.isDirty = false
        await this.#check(state)
      }
    } finally {
      state.isRunning = false
    }
  }

  async #check(state: State): Promise<void> {
    const { analyser, textsOf, publish, complain } = this.#options
    const { subject } = state
    const job = { subject, texts: textsOf(subject) }
    try {
      state.checked = await analyser.check(job)
      if (this.#isClosed) return
      // Findings of the former text stay until there are new ones, because most changes do not affect them.
      if (!state.isDirty) publish(subject, [...state.checked.troubles, ...state.findings])
      if (state.isDirty) return
      state.findings = await analyser.lint(job)
      if (!this.#isClosed && !state.isDirty) publish(subject, [...state.checked.troubles, ...state.findings])
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
    }
  }
}

function keyOf(subject: Subject): string {
  return subject.kind === 'tree' ? `tree ${subject.folder}` : `server ${subject.configFile}`
}
