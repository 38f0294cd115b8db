import type { ChildProcess } from 'node:child_process'
import { ChildErrors } from './child-errors.ts'
import { isNativeHandle, type NativeHandle, sendHandle } from './native-handle.ts'
import { settledWithin } from './settled-within.ts'

/** How a child ended. */
export interface ProcessEnd {
  readonly pid: number
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
}

/** Events of a child. */
export interface RoleEvents {
  readonly message: (message: unknown) => void
  /** A message with a handle, which is the receiver's; without it, the handle is closed. */
  readonly handle?: (message: unknown, handle: NativeHandle) => void
  /** A line of its standard error, if that is a pipe. */
  readonly error: (line: string) => void
}

/**
 * Maximum wait for the end of standard error (ms): programs that the child has left running may keep it open.
 */
const ERRORS_PATIENCE = 250

/**
 * A child that runs a role: sends messages, and reports its end once, after its last message and the last
 * line of its standard error.
 */
export class RoleProcess {
  readonly pid: number
  /** Resolves when the child has ended and its channel is read to the end. Never rejects. */
  readonly end: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #errors: ChildErrors | null
  /** Those that the system has not taken yet. */
  readonly #handles: Set<NativeHandle> = new Set()

  constructor(child: ChildProcess, events: RoleEvents) {
    this.#child = child
    this.pid = child.pid ?? 0
    this.#errors = child.stderr === null ? null : new ChildErrors(child.stderr, events.error)
    this.end = new Promise((resolve) => {
      // A child without a process number could not be started, and neither event would occur.
      child.once('error', () => {
        if (child.pid === undefined) resolve({ pid: 0, status: null, signal: null })
      })
      child.once('exit', (status, signal) => {
        const done = (): void => {
          for (const handle of [...this.#handles]) this.#close(handle)
          void this.#lastError().then(() => resolve({ pid: this.pid, status, signal }))
        }
        if (child.connected) child.once('disconnect', done)
        else done()
      })
    })
    child.on('message', (message, handle: unknown) => {
      if (!isNativeHandle(handle)) events.message(message)
      else if (events.handle === undefined) handle.close()
      else events.handle(message, handle)
    })
  }

  /** What it was doing when it was interrupted, see ChildErrors. */
  get stack(): readonly string[] {
    return this.#errors?.stack ?? []
  }

  /** Whether it has reported that its memory was exhausted. */
  get ranOutOfMemory(): boolean {
    return this.#errors?.ranOutOfMemory === true
  }

  /** Sends a message; a message that is too late is dropped, because the child's end is reported anyway. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, ignore)
  }

  /** Sends a message with a handle, which is closed here. */
  sendHandle(message: object, handle: NativeHandle): void {
    if (!this.#child.connected) return handle.close()
    this.#handles.add(handle)
    sendHandle(this.#child.send.bind(this.#child), message, handle, () => this.#close(handle))
  }

  /** Sends a message. Resolves when it was passed to the system, or is too late. */
  sent(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.connected) this.#child.send(message, () => resolve())
      else resolve()
    })
  }

  /** Ends the child even if it is executing JavaScript without end: it prints its stack, which is kept. */
  interrupt(): void {
    this.#errors?.keepStack()
    this.#child.kill('SIGINT')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets the process continue independently. */
  detach(): void {
    if (this.#child.connected) this.#child.disconnect()
    this.#child.unref()
  }

  #close(handle: NativeHandle): void {
    if (this.#handles.delete(handle)) handle.close()
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
