import { Cleanups } from '../base/cleanups.ts'
import type { RequestRecord } from './request-record.ts'

/** The state of the response to a client's request. The numbers are in chronological order. */
export const OPEN = 0
/** The first bytes are being sent or about to be sent: no other response is possible. */
export const SENDING = 1
/** The last byte was sent, or the client has disconnected. The access log has its line. */
export const SENT = 2

/**
 * The single response to a client's request, whichever requests it was internally redirected to. Its state
 * only moves forward, so that nothing is sent or logged twice. While it is open, one request at a time
 * prepares it; other requests that try to respond have no effect.
 */
export class Answer {
  #state: number = OPEN
  #request: RequestRecord | null = null
  /** Number of responses that could not be sent. */
  failures = 0
  #cleanups: Cleanups | null = null
  /** The trailer fields that were sent, as lines; '' if none. */
  trailers = ''
  /** Microseconds of the process's monotonic clock when the response ended; 0 before. */
  endedAtUs = 0

  get state(): number {
    return this.#state
  }

  /** The request whose response is being prepared or was sent; null if none is. */
  get request(): RequestRecord | null {
    return this.#request
  }

  /** The response of internal requests, which no client receives. */
  static sent(): Answer {
    const answer = new Answer()
    answer.#state = SENT
    return answer
  }

  /**
   * Returns true if the request may prepare the response; false if another request is preparing it or has
   * sent it.
   */
  claim(request: RequestRecord): boolean {
    if (this.#state !== OPEN || this.#request !== null) return false
    this.#request = request
    return true
  }

  /** Discards the response that the request prepared: another one is prepared instead. */
  release(request: RequestRecord): void {
    if (this.#state === OPEN && this.#request === request) this.#request = null
  }

  /** Registers a function that runs when the response has ended, whichever request produced it. */
  onEnd(cleanup: () => void): void {
    this.#cleanups ??= new Cleanups()
    this.#cleanups.add(cleanup)
  }

  /** Runs the functions that wait for the end, last registered first. */
  cleanUp(failed: (error: unknown) => void): void {
    this.#cleanups?.run(failed)
  }

  /** From here on the response cannot be replaced. */
  begin(request: RequestRecord): void {
    if (this.#state !== OPEN) throw new Error('a response was begun twice')
    this.#request = request
    this.#state = SENDING
  }

  /** @returns false if the response had already ended */
  end(nowUs: number): boolean {
    if (this.#state === SENT) return false
    this.#state = SENT
    this.endedAtUs = nowUs
    return true
  }
}

/** The response of sub-requests, which cannot be sent. */
export const NO_ANSWER: Answer = Answer.sent()
