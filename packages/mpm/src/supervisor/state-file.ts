import { readFileSync, rmSync } from 'node:fs'
import { processStart } from './process-start.ts'
import { writeOver, writeWhole } from './whole-file.ts'

/** What a server tells commands about its reloads, in a file beside its pid file. */
export interface ServerState {
  readonly pid: number
  /** As `processStart` has it. */
  readonly identity: string | null
  /** Whether a supervisor of another version may take over from it. */
  readonly replaceable: boolean
  /** Reloads that have begun since the start. */
  readonly begun: number
  /** Those among them that have come to an end, good or bad. */
  readonly ended: number
  /** Why the last of these was refused; null when the server serves what it read. */
  readonly refusal: readonly string[] | null
}

/** The state file of a server, written by its supervisor. Whoever may not signal the server need not read it. */
export class StateFile {
  readonly #path: string
  #state: ServerState

  /** @param first what is so at the start: the start of a successor counts as a reload that has begun */
  constructor(pidFile: string, pid: number, first: Pick<ServerState, 'replaceable' | 'begun'>) {
    this.#path = statePath(pidFile)
    const start = processStart(pid)
    const identity = typeof start === 'object' ? start.identity : null
    this.#state = { pid, identity, ...first, ended: 0, refusal: null }
    this.#write()
  }

  begin(): void {
    this.#state = { ...this.#state, begun: this.#state.begun + 1 }
    this.#write()
  }

  /** @param refusal why the server goes on with what it has; null when it serves the new configuration */
  end(refusal: readonly string[] | null): void {
    this.#state = { ...this.#state, ended: this.#state.begun, refusal }
    this.#write()
  }

  remove(): void {
    remove(this.#path)
  }

  /** A state that is not true any more must not be read: without the file a command says that it cannot know. */
  #write(): void {
    const text = `${JSON.stringify(this.#state)}\n`
    try {
      writeWhole(this.#path, text, 0o600)
    } catch {
      // A full disk has the room that the file takes already.
      if (!writeOver(this.#path, text)) this.remove()
    }
  }
}

/** The state of the server with this pid file; undefined when it tells none, as another program does, or to somebody who may not read it. */
export function readState(pidFile: string): ServerState | undefined {
  try {
    return parse(JSON.parse(readFileSync(statePath(pidFile), 'utf8')))
  } catch {
    return undefined
  }
}

function statePath(pidFile: string): string {
  return `${pidFile}.state`
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder is not ours any more.
  }
}

function parse(value: unknown): ServerState | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('pid' in value && 'identity' in value && 'begun' in value && 'ended' in value && 'refusal' in value)) return undefined
  const { pid, identity, begun, ended, refusal } = value
  if (typeof pid !== 'number' || typeof begun !== 'number' || typeof ended !== 'number') return undefined
  if (identity !== null && typeof identity !== 'string') return undefined
  if (refusal !== null && !isLines(refusal)) return undefined
  const replaceable = 'replaceable' in value && value.replaceable === true
  return { pid, identity, replaceable, begun, ended, refusal }
}

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}
