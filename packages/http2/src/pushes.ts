import { HeaderFields } from '@gatewright/http/messages'
import { ByteWriter } from './byte-writer.ts'
import type { Http2Connection } from './connection.ts'
import { Http2Exchange } from './exchange.ts'
import { FLAG, FRAME } from './frames.ts'
import { eachField, paddingOf, ZEROS } from './head-block.ts'
import { preloadTargets } from './preload-links.ts'
import { pushedRequest } from './stream-request.ts'

/** Fields of the client's request that the request of a pushed resource has as well. */
const COPIED: readonly string[] = ['User-Agent', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Cache-Control']

/** Whether a response may name something to push. @param fields as lines */
export function namesLinks(fields: string): boolean {
  return /^link:/im.test(fields)
}

/** Resources that are pushed along with responses (RFC 9113 section 8.4), as mod_http2 does. */
export class Pushes {
  /** The highest number of a stream of this side. */
  last = 0
  readonly #connection: Http2Connection
  /** Paths that were pushed on this connection. */
  readonly #diary = new Set<string>()

  constructor(connection: Http2Connection) {
    this.#connection = connection
  }

  /** Whether the client takes pushed responses at all. */
  get areTaken(): boolean {
    const { peer, rules, departure } = this.#connection
    return rules.push && peer.enablePush && peer.maxConcurrentStreams > 0 && !departure.hasBegun
  }

  /**
   * Pushes what the fields Link of a response, or of early hints, name for preloading.
   * @param fields as lines
   * @returns whether they name anything, which the client learns by the field Push-Policy
   */
  forResponse(exchange: Http2Exchange, status: number, fields: string): boolean {
    if (status >= 400 || status === 304 || !namesLinks(fields)) return false
    const links: string[] = []
    eachField(fields, (name, value) => {
      if (name === 'link') links.push(value)
    })
    return this.forLinks(exchange, links.join(', '))
  }

  /** Pushes what the value of a field Link names for preloading. @returns whether it names anything */
  forLinks(exchange: Http2Exchange, links: string): boolean {
    if (exchange.method !== 'GET' || !this.mayPushFor(exchange)) return false
    const targets = preloadTargets(links, exchange.fields.get('host') ?? '')
    for (const target of targets) this.#push(exchange, target)
    return targets.length > 0
  }

  /** Whether responses may be pushed along with that of a stream. */
  mayPushFor(exchange: Http2Exchange): boolean {
    return this.areTaken && exchange.pushedOn === 0 && exchange.pushes && !exchange.closed
  }

  /** Promises the response to a request for `path`, and serves that request. */
  #push(exchange: Http2Exchange, path: string): void {
    const { rules, settings, streams, output, peer } = this.#connection
    if (!this.mayPushFor(exchange) || this.#diary.has(path)) return
    if (streams.size - streams.ofClient >= Math.min(peer.maxConcurrentStreams, rules.maxStreams)) return
    this.#remember(path)
    const method = exchange.pushPolicy === 'head' ? 'HEAD' : 'GET'
    const list = ['Host', exchange.fields.get('host') ?? '']
    for (const name of COPIED) {
      const value = exchange.fields.get(name)
      if (value !== undefined) list.push(name, value)
    }
    const id = this.last === 0 ? 2 : this.last + 2
    this.last = id
    this.#promise(exchange, id, method, path, list)
    const request = pushedRequest(path, method, HeaderFields.of(list), settings)
    streams.push(new Http2Exchange(this.#connection, id, request, exchange.id))
    output.schedule()
  }

  #remember(path: string): void {
    const { pushDiarySize } = this.#connection.rules
    if (pushDiarySize === 0) return
    const [oldest] = this.#diary
    if (oldest !== undefined && this.#diary.size >= pushDiarySize) this.#diary.delete(oldest)
    this.#diary.add(path)
  }

  #promise(exchange: Http2Exchange, id: number, method: string, path: string, list: readonly string[]): void {
    const { output } = this.#connection
    const block = new ByteWriter(256)
    const { encoder } = output
    encoder.begin(block)
    encoder.field(block, ':method', method)
    encoder.field(block, ':scheme', this.#connection.isSecured ? 'https' : 'http')
    encoder.field(block, ':authority', list[1])
    encoder.field(block, ':path', path)
    for (let i = 2; i < list.length; i += 2) encoder.field(block, list[i].toLowerCase(), list[i + 1])
    // A path and these fields fit into one frame: requests with longer ones were refused.
    const padding = paddingOf(this.#connection.rules.padding)
    const flags = FLAG.endHeaders | (padding > 0 ? FLAG.padded : 0)
    output.frames.frame(4 + block.length + padding, FRAME.pushPromise, flags, exchange.id)
    if (padding > 0) output.frames.byte(padding - 1)
    output.frames.uint32(id)
    output.frames.chunk(block.bytes)
    if (padding > 0) output.frames.chunk(ZEROS, 0, padding - 1)
  }
}
