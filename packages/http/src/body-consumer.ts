import type { Refusal } from './refusal.ts'

/** The consumer of a body. No calls follow onEnd or onError. */
export interface BodyConsumer {
  /** The chunk may be kept. `'pause'` stops the data until the exchange's resumeBody. */
  onData(chunk: Buffer): void | 'pause'
  onEnd(): void
  /** The message is broken (400), stalled (408) or too large (413): the refusal is the response to send. */
  onError(refusal: Refusal): void
  /** Another consumer has taken over; no further calls follow. */
  onTaken?(): void
}

/** When the client is asked for a body that it keeps back: before it is read, or only if nothing of it has arrived. */
export type BodyRequest = 'at-once' | 'if-missing'
