import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'
import { Http2Exchange } from '@gatewright/http2'
import { RequestRecord } from '../model/request-record.ts'

/** What modules may ask about the stream of a request, and do to it. */
export function http2Stream(request: Request): Http2Stream | null {
  const { exchange } = RequestRecord.of(request)
  return exchange instanceof Http2Exchange ? new RequestStream(exchange) : null
}

/** A class, because modules ask for it several times in each request: an object literal with functions is far more work. */
class RequestStream implements Http2Stream {
  readonly #exchange: Http2Exchange

  constructor(exchange: Http2Exchange) {
    this.#exchange = exchange
  }

  get id(): number {
    return this.#exchange.id
  }

  get connection(): number {
    return this.#exchange.connection.number
  }

  get pushedOn(): number {
    return this.#exchange.pushedOn
  }

  get takesPushes(): boolean {
    return this.#exchange.connection.pushes.mayPushFor(this.#exchange)
  }

  setPushes(pushes: boolean, policy: 'default' | 'head'): void {
    this.#exchange.pushes = pushes
    this.#exchange.pushPolicy = policy
  }

  pushLinks(links: string): void {
    this.#exchange.connection.pushes.forLinks(this.#exchange, links)
  }

  requireHttp11(): void {
    this.#exchange.requireHttp11()
  }
}
