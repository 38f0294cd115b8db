import { Cleanups } from '../base/cleanups.ts'
import type { RequestRecord } from './request-record.ts'

/** How far the answer to a client's request is. The order of the numbers is the order of time. */
export const OPEN = 0
/** Bytes leave, or are about to: nothing else can be sent. */
export const SENDING = 1
/** The last byte was handed over, or the client has gone. The access log has its line. */
export const SENT = 2

/**
 * The one answer that a client gets to its request, whichever requests it was internally redirected to. Its state only moves forward, so that nothing is sent twice and
 * nothing is logged twice. While it is open, one request at a time prepares it: others that would answer then do nothing.
 */
export class Answer {
  #state: number = OPEN
  /** The request whose response is prepared, or was sent; null before. */
  #request: RequestRecord | null = null
  /** How many responses of it could not be sent. */
  failures = 0
  #cleanups: Cleanups | null = null
  /** Microseconds of the process's own clock when the answer ended; 0 before. */
  endedAtUs = 0

  get state(): number {
    return this.#state
  }

  /** The request whose response was sent. */
  get request(): RequestRecord | null {
    return this.#request
  }

  /** The answer of requests that no client sent. */
  static sent(): Answer {
    const answer = new Answer()
    answer.#state = SENT
    return answer
  }

  /** True when the request may prepare the answer; false when one does already, or has. */
  claim(request: RequestRecord): boolean {
    if (this.#state !== OPEN || this.#request !== null) return false
    this.#request = request
    return true
  }

  /** What the request prepared is not sent: something else is prepared in its place. */
  release(request: RequestRecord): void {
    if (this.#state === OPEN && this.#request === request) this.#request = null
  }

  /** To be called when the answer has ended, whichever request made it. */
  onEnd(cleanup: () => void): void {
    this.#cleanups ??= new Cleanups()
    this.#cleanups.add(cleanup)
  }

  /** Runs what waits for the end, last registered first. */
  cleanUp(failed: (error: unknown) => void): void {
    this.#cleanups?.run(failed)
  }

  /** From here on the answer is what it is. */
  begin(request: RequestRecord): void {
    if (this.#state !== OPEN) throw new Error('a response was begun twice')
    this.#request = request
    this.#state = SENDING
  }

  /** @returns false when the answer had ended already */
  end(nowUs: number): boolean {
    if (this.#state === SENT) return false
    this.#state = SENT
    this.endedAtUs = nowUs
    return true
  }
}

/** The answer of sub-requests: nothing can be sent. */
export const NO_ANSWER: Answer = Answer.sent()
