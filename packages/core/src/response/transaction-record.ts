import { HTTP_NOT_MODIFIED, type Request, type Transaction } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { valueInLines } from './trailers.ts'

/** A finished exchange as logs see it. */
export class TransactionRecord implements Transaction {
  readonly original: Request
  readonly final: Request
  readonly #first: RequestRecord
  readonly #last: RequestRecord

  constructor(request: RequestRecord) {
    let first = request
    while (first.prev !== null) first = first.prev
    this.#first = first
    this.#last = first.final
    this.original = this.#first
    this.final = this.#last
  }

  get bodyBytesSent(): number {
    return this.#last.bodyBytesSent
  }

  get endedAt(): number {
    return this.#first.receivedAt + (this.#first.answer.endedAtUs - this.#first.receivedAtUs) / 1000
  }

  get durationUs(): number {
    return Math.max(0, Math.floor(this.#first.answer.endedAtUs - this.#first.receivedAtUs))
  }

  get firstByteUs(): number | null {
    if (this.#last.errorStatus !== 0 || this.#last.firstByteAtUs === 0) return null
    return Math.max(0, Math.floor(this.#last.firstByteAtUs - this.#first.receivedAtUs))
  }

  get keptAlive(): boolean {
    return this.#last.exchange?.persistent === true
  }

  get logId(): string | null {
    return this.#first.logId?.text ?? null
  }

  get connectionLogId(): string | null {
    return this.#first.connection.logId?.text ?? null
  }

  responseHeader(name: string): readonly string[] {
    const key = name.toLowerCase()
    const written = this.#writtenField(key)
    if (written !== null) return [written]
    // If the body was not sent, neither was its length.
    if (key === 'content-length' && this.#last.status === HTTP_NOT_MODIFIED) return []
    const always = this.#last.existingErrHeadersOut?.getAll(name) ?? []
    const normal = this.#last.existingHeadersOut?.getAll(name) ?? []
    return [...always, ...normal]
  }

  /** Fields that the head writer and the exchange added. */
  #writtenField(name: string): string | null {
    const { sentFraming, exchange } = this.#last
    if (sentFraming === null) return null
    if (name === 'content-length' && sentFraming.kind === 'length') return String(sentFraming.length)
    return exchange === null ? null : exchange.ownField(name)
  }

  requestTrailer(name: string): string | undefined {
    return this.#first.exchange?.trailers?.get(name.toLowerCase())
  }

  responseTrailer(name: string): string | undefined {
    return valueInLines(this.#first.answer.trailers, name)
  }
}
