import type { ChildProcess } from 'node:child_process'
import { ChildErrors } from './child-errors.ts'
import { settledWithin } from './settled-within.ts'

/** How a child ended. */
export interface ProcessEnd {
  readonly pid: number
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
}

/** What comes from a child. */
export interface RoleEvents {
  readonly message: (message: unknown) => void
  /** A line of its standard error, where that is a pipe. */
  readonly error: (line: string) => void
}

/** Programs that the child has left behind may keep its standard error open; it is not waited for longer than this (ms). */
const ERRORS_PATIENCE = 250

/** A child that runs a role: messages go out, and its end is told once, after its last message and the last line of its standard error. */
export class RoleProcess {
  readonly pid: number
  /** Resolves when the child is gone and its channel is read to the end. Never rejects. */
  readonly end: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #errors: ChildErrors | null

  constructor(child: ChildProcess, events: RoleEvents) {
    this.#child = child
    this.pid = child.pid ?? 0
    this.#errors = child.stderr === null ? null : new ChildErrors(child.stderr, events.error)
    this.end = new Promise((resolve) => {
      // Without a process number it could not be started, and neither of these would be told.
      child.once('error', () => {
        if (child.pid === undefined) resolve({ pid: 0, status: null, signal: null })
      })
      child.once('exit', (status, signal) => {
        const done = (): void => void this.#lastError().then(() => resolve({ pid: this.pid, status, signal }))
        if (child.connected) child.once('disconnect', done)
        else done()
      })
    })
    child.on('message', events.message)
  }

  /** What it was doing when it was interrupted, as ChildErrors has it. */
  get stack(): readonly string[] {
    return this.#errors?.stack ?? []
  }

  /** Whether it has said that its memory was exhausted. */
  get ranOutOfMemory(): boolean {
    return this.#errors?.ranOutOfMemory === true
  }

  /** Sends a message; one that comes too late is dropped, as the child's end is told anyway. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, ignore)
  }

  /** Ends it if it runs JavaScript, however long that takes: it prints its stack, which is kept. */
  interrupt(): void {
    this.#errors?.keepStack()
    this.#child.kill('SIGINT')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets the process go on by itself. */
  detach(): void {
    if (this.#child.connected) this.#child.disconnect()
    this.#child.unref()
  }

  #lastError(): Promise<void> {
    return this.#errors === null ? Promise.resolve() : settledWithin(ERRORS_PATIENCE, [this.#errors.end])
  }
}

/** `exit status 1`, `signal SIGSEGV`. */
export function describeEnd(end: ProcessEnd): string {
  return end.signal === null ? `exit status ${end.status ?? 'unknown'}` : `signal ${end.signal}`
}

function ignore(): void {}
