import type { ChildProcess } from 'node:child_process'

/** How a child ended. */
export interface ProcessEnd {
  readonly pid: number
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
}

/** A child that runs a role: messages go out, and its end is told once, after its last message. */
export class RoleProcess {
  readonly pid: number
  /** Resolves when the child is gone and its channel is read to the end. Never rejects. */
  readonly end: Promise<ProcessEnd>
  readonly #child: ChildProcess

  constructor(child: ChildProcess, onMessage: (message: unknown) => void) {
    this.#child = child
    this.pid = child.pid ?? 0
    this.end = new Promise((resolve) => {
      // Without a process number it could not be started, and neither of these would be told.
      child.once('error', () => {
        if (child.pid === undefined) resolve({ pid: 0, status: null, signal: null })
      })
      child.once('exit', (status, signal) => {
        const done = (): void => resolve({ pid: this.pid, status, signal })
        if (child.connected) child.once('disconnect', done)
        else done()
      })
    })
    child.on('message', onMessage)
  }

  /** Sends a message; one that comes too late is dropped, as the child's end is told anyway. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, ignore)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets the process go on by itself. */
  detach(): void {
    if (this.#child.connected) this.#child.disconnect()
    this.#child.unref()
  }
}

/** `exit status 1`, `signal SIGSEGV`. */
export function describeEnd(end: ProcessEnd): string {
  return end.signal === null ? `exit status ${end.status ?? 'unknown'}` : `signal ${end.signal}`
}

function ignore(): void {}
