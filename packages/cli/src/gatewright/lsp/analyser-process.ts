import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Analyser, CatalogueData, Checked, Job, Migrated, Trouble } from '@gatewright/language-server'
import type { AnalyserAnswer, AnalyserRequest } from './messages.ts'

/** Longest time of a job (ms); after it the process is ended and started again. */
const LONGEST: Readonly<Record<AnalyserRequest['kind'], number>> = {
  catalogue: 60_000,
  check: 60_000,
  lint: 60_000,
  who: 60_000,
  migrate: 120_000,
}
const MEMORY = 1024

interface Waiting {
  readonly settle: (answer: AnalyserAnswer) => void
  readonly timer: NodeJS.Timeout
}

/**
 * Runs jobs in a process that may read files and do nothing else: Node refuses it to write files and to start
 * programs and threads. If it exits or takes too long, its jobs fail, and the next one starts another.
 */
export class AnalyserProcess implements Analyser {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  #last = 0
  #isClosed = false

  /** @param file the program of the process */
  constructor(file: URL) {
    this.#file = fileURLToPath(file)
  }

  catalogue(): Promise<CatalogueData> {
    return this.#ask('catalogue', NO_JOB)
  }

  check(job: Job): Promise<Checked> {
    return this.#ask('check', job)
  }

  lint(job: Job): Promise<readonly Trouble[]> {
    return this.#ask('lint', job)
  }

  who(job: Job): Promise<string> {
    return this.#ask('who', job)
  }

  migrate(job: Job): Promise<Migrated> {
    return this.#ask('migrate', job)
  }

  close(): void {
    this.#isClosed = true
    this.#end('the editor has closed')
  }

  /** The other end is this program's own file, so its answers have the types of their jobs. */
  async #ask<T>(kind: AnalyserRequest['kind'], job: Job): Promise<T> {
    const answer = await this.#answer(kind, job)
    if ('error' in answer) throw new Error(answer.error)
    return structuredClone(answer.result) as T
  }

  #answer(kind: AnalyserRequest['kind'], job: Job): Promise<AnalyserAnswer> {
    const id = ++this.#last
    if (this.#isClosed) return Promise.resolve({ id, error: 'the editor has closed' })
    const child = (this.#child ??= this.#start())
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#end(`${kind} took longer than ${LONGEST[kind] / 1000} seconds`), LONGEST[kind])
      this.#waiting.set(id, { settle, timer })
      child.send({ file: '', line: 0, ...{ id, kind, job: { file: '', line: 0, ...job } } })
    })
  }

  #start(): ChildProcess {
    const child = fork(this.#file, [], {
      execArgv: ['--permission', '--allow-fs-read=*', `--max-old-space-size=${MEMORY}`, '--disable-warning=SecurityWarning'],
      // Options of the environment could load files of anybody.
      env: { ...process.env, NODE_OPTIONS: '' },
      // The editor reads messages of the protocol from standard output.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (answer: AnalyserAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if (waiting === undefined) return
      this.#waiting.delete(answer.id)
      clearTimeout(waiting.timer)
      waiting.settle(answer)
    })
    child.on('error', () => this.#gone(child, 'the process that reads configurations could not be started'))
    child.on('exit', () => this.#gone(child, 'the process that reads configurations ended'))
    return child
  }

  #end(reason: string): void {
    const child = this.#child
    if (child === null) return
    this.#gone(child, reason)
    child.kill('SIGKILL')
  }

  #gone(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return
    this.#child = null
    for (const [id, { settle, timer }] of this.#waiting) {
      clearTimeout(timer)
      settle({ id, error: reason })
    }
    this.#waiting.clear()
  }
}

const NO_JOB: Job = { subject: { kind: 'tree', folder: '/' }, texts: {} }
