import { Budget } from './budget.ts'
import { ConnectionError, ERROR } from './error-codes.ts'

/** Streams that a client may give up, or make this side give up, at once and per second (CVE-2023-44487, CVE-2025-8671). */
const RESETS = 1000
const RESETS_PER_SECOND = 33

/** Frames without any effect on a response, at once and per second: a page of a browser causes a few dozen. */
const FRAMES = 10_000
const FRAMES_PER_SECOND = 500

/** So many bytes of data that are sent give back one frame: clients acknowledge them with WINDOW_UPDATE. */
const BYTES_PER_FRAME = 512

/** What one client may cost. */
export class ClientBudgets {
  readonly #resets: Budget
  readonly #frames: Budget

  /** @param now ms */
  constructor(now: number) {
    this.#resets = new Budget(RESETS, RESETS_PER_SECOND, now)
    this.#frames = new Budget(FRAMES, FRAMES_PER_SECOND, now)
  }

  /** A stream was reset by the client or because of it. @throws ConnectionError if there are too many */
  reset(now: number): void {
    if (!this.#resets.spend(1, now)) throw new ConnectionError(ERROR.enhanceYourCalm, 'too many streams were reset')
  }

  /** A header block was much longer than any request needs. @throws ConnectionError if there are too many */
  bomb(now: number): void {
    if (!this.#resets.spend(1, now)) throw new ConnectionError(ERROR.enhanceYourCalm, 'too many header blocks that grow')
  }

  /** A frame has arrived that is no part of a message. @throws ConnectionError if there are too many */
  frame(now: number): void {
    if (!this.#frames.spend(1, now)) throw new ConnectionError(ERROR.enhanceYourCalm, 'too many frames without content')
  }

  /** Data was sent. */
  worked(bytes: number): void {
    this.#frames.earn(bytes / BYTES_PER_FRAME)
  }
}
