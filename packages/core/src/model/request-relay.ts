import type { Overlay, ProxyRequestKind, RequestTarget, SendRate } from '@gatewright/api'
import { requireByteText } from '@gatewright/api/text'
import type { Exchange, HeaderFields } from '@gatewright/http'
import type { MergedConfig } from './merged-config.ts'
import type { RequestHost } from './request-host.ts'
import { RequestTexts } from './request-texts.ts'
import { Section } from './section.ts'
import type { ServerRecord } from './server-record.ts'

const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/
const NOTHING = (): void => {}

/** What a request needs if modules pass it on to another server, and how its response is relayed and paced. */
export abstract class RequestRelay extends RequestTexts {
  proxyRequest: ProxyRequestKind | null = null
  sendRate: SendRate | null = null
  #phrase: string | null = null
  #keptBody: Uint8Array | null = null
  abstract readonly host: RequestHost
  abstract readonly exchange: Exchange | null
  abstract readonly server: ServerRecord
  abstract readonly headersIn: HeaderFields
  abstract config: MergedConfig

  get reason(): string | null {
    return this.#phrase
  }

  set reason(reason: string | null) {
    if (reason !== null) {
      requireByteText('the reason phrase', reason)
      if (CONTROL.test(reason)) throw new TypeError('the reason phrase has a control character')
    }
    this.#phrase = reason
  }

  get keptBody(): Uint8Array | null {
    return this.#keptBody
  }

  set keptBody(body: Uint8Array | null) {
    this.#keptBody = body
    if (body === null) return
    this.headersIn.delete('Transfer-Encoding')
    this.headersIn.set('Content-Length', String(body.length))
  }

  /** For a sub-request, or a request to which another one is redirected: its fields agree with the body already. */
  takeKeptBody({ keptBody }: RequestRelay): void {
    this.#keptBody = keptBody
  }

  get target(): RequestTarget | null {
    const { exchange } = this
    if (exchange === null || exchange.uri.error !== '') return null
    const { form, scheme, host, port } = exchange.uri
    return { text: exchange.target, form, scheme, host, port }
  }

  get awaitsContinue(): boolean {
    return this.exchange?.awaitsContinue === true
  }

  sendInterim(status: number, reason: string, fields: Iterable<readonly [name: string, value: string]>): boolean {
    return this.host.sendInterim(this.exchange, status, reason, fields)
  }

  whenGone(listener: () => void): () => void {
    return this.exchange === null ? NOTHING : this.exchange.whenGone(listener)
  }

  mergeSections(sections: readonly Overlay[]): void {
    let config: MergedConfig = this.server.walkBase
    for (const section of sections) {
      if (!(section instanceof Section)) throw new TypeError('not a section of this server')
      config = config.with(section)
    }
    this.config = config
  }
}
