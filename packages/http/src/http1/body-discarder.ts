import type { BodyConsumer } from '../body-consumer.ts'
import { bodyLine, type Refusal, refusal } from '../refusal.ts'
import type { RequestBody } from './request-body.ts'
import type { RequestReading } from './request-reading.ts'

/** Reads a body and discards it, as httpd does before it answers a request whose handler does not read it. */
export class BodyDiscarder implements BodyConsumer {
  readonly #body: RequestBody
  readonly #limit: number
  readonly #done: (refusal: Refusal | null) => void
  #read: number

  /** `limit` is LimitRequestBody, 0 = none. */
  constructor(body: RequestBody, limit: number, done: (refusal: Refusal | null) => void) {
    this.#body = body
    this.#limit = limit
    this.#done = done
    this.#read = 0
  }

  onData(chunk: Buffer): void {
    this.#read += chunk.length
    if (this.#limit > 0 && this.#read > this.#limit) this.#body.fail(tooLong(this.#read, this.#limit))
  }

  onEnd(): void {
    this.#done(null)
  }

  onError(reason: Refusal): void {
    this.#done(reason)
  }
}

/**
 * Discards, after the response, the part of a body that the host has not read, so that the next request can
 * be read.
 */
export class BodySkipper implements BodyConsumer {
  readonly #reading: RequestReading

  constructor(reading: RequestReading) {
    this.#reading = reading
  }

  onData(): void {}

  onEnd(): void {
    this.#reading.bodySkipped()
  }

  onError(): void {
    this.#reading.bodyUnskippable()
  }
}

/**
 * The refusal of a body whose Content-Length exceeds the limit. `length` is a text because a number could be
 * inexact.
 */
export function announcedTooLong(length: string, limit: number): Refusal {
  const text = `Requested content-length of ${length} is larger than the configured limit of ${limit}`
  return refusal(413, bodyLine('AH01588', text))
}

function tooLong(length: number, limit: number): Refusal {
  const text = `Read content length of ${length} is larger than the configured limit of ${limit}`
  return refusal(413, bodyLine('AH01591', text))
}
