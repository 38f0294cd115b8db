import { isResponseCut } from '@gatewright/api'
import type { Exchange } from '@gatewright/http'
import { placeInModule } from '../base/blame.ts'
import { BUFFERED_PAGE } from '../base/buffered-page.ts'
import { discardBody } from '../base/discard-body.ts'
import { errorMessage } from '../base/error-text.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import { bodyOf } from './bodies/body-of.ts'
import { type Bytes, isBytes, sendBytes } from './bodies/bytes.ts'
import { pacedBody } from './bodies/paced-body.ts'
import type { BodyCut, ResponseBody, SendFailed } from './bodies/response-body.ts'
import { UnreadableBody } from './body-chunks.ts'
import { contentTypeOf } from './content-type.ts'
import type { HeadWriter } from './head.ts'
import { createBoundary, multipart } from './multipart.ts'
import { ProtocolSwitch } from './protocol-switch.ts'
import type { ByteRange } from './ranges.ts'
import { requestedRanges } from './requested-ranges.ts'
import { statesChunks } from './states-chunks.ts'
import { beginTunnel, isTunnel } from './tunnel.ts'

const NONE: BodyFraming = { kind: 'none' }
const UNSTATED: BodyFraming = { kind: 'unstated' }
const CLOSE: BodyFraming = { kind: 'close' }
const ENCODED: BodyFraming = { kind: 'encoded' }
const MARKED: BodyFraming = { kind: 'marked' }
const MARKED_IF_KEPT: BodyFraming = { kind: 'markedIfKept' }

/**
 * Sends the response that handlers left in a request, whole or in ranges. This class decides everything about
 * the form of an HTTP response that does not depend on the kind of its body or on the protocol, so handlers
 * need not consider HEAD, ranges or framing.
 */
export class Responder {
  readonly #heads: HeadWriter
  readonly #files: FileCache
  readonly #log: CoreLog
  readonly #boundary: string = createBoundary()

  constructor(heads: HeadWriter, files: FileCache, log: CoreLog) {
    this.#heads = heads
    this.#files = files
    this.#log = log
  }

  send(request: RequestRecord): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    if (request.body instanceof ProtocolSwitch) return this.#switchProtocol(request, exchange, request.body)
    if (isTunnel(request.body)) return beginTunnel(request, exchange, request.body, this.#failed)
    if (request.status === 304 || request.status === 204) {
      discardBody(request.body)
      return exchange.respond(this.#heads.head(request, NONE, null), null, request)
    }
    const body = this.#opened(request, exchange)
    if (body === null) return
    const { length } = body
    const ranges = length !== null && (isBytes(body) || body.isDivisible) ? requestedRanges(request, length) : null
    if (ranges !== null && ranges !== 'unsatisfiable') return this.#sendRanges(request, exchange, body, ranges)
    this.#sendBody(request, exchange, body, null, framingOf(request, length), contentTypeOf(request))
  }

  #switchProtocol(request: RequestRecord, exchange: Exchange, { opening, begin }: ProtocolSwitch): void {
    if (exchange.protocolSwitch !== null) return exchange.protocolSwitch.switchTo(opening, begin, request)
    exchange.breakOff()
    request.responseBroken()
  }

  /** The body, ready to be sent; null, and the response is broken off, if it cannot be. */
  #opened(request: RequestRecord, exchange: Exchange): Bytes | ResponseBody | null {
    try {
      const body = bodyOf(request.body, this.#files)
      if (!request.headerOnly && !isBytes(body)) body.open()
      return body
    } catch (error) {
      this.#failed(request, error)
      exchange.breakOff()
      request.responseBroken()
      return null
    }
  }

  #sendRanges(request: RequestRecord, exchange: Exchange, body: Bytes | ResponseBody, ranges: readonly ByteRange[]): void {
    const size = body.length ?? 0
    request.status = 206
    // That of the backend was for 200.
    request.reason = null
    const type = contentTypeOf(request)
    if (ranges.length === 1) {
      const [{ start, end }] = ranges
      const length = end - start + 1
      request.headersOut.set('Content-Range', `bytes ${start}-${end}/${size}`)
      const cut = { pieces: [{ prefix: '', start, length }], suffix: '' }
      return this.#sendBody(request, exchange, body, cut, { kind: 'length', length }, type)
    }
    const { prefixes, suffix, length } = multipart(ranges, type, size, this.#boundary)
    const pieces = ranges.map(({ start, end }, index) => ({ prefix: prefixes[index], start, length: end - start + 1 }))
    const partsType = `multipart/byteranges; boundary=${this.#boundary}`
    this.#sendBody(request, exchange, body, { pieces, suffix }, { kind: 'length', length }, partsType)
  }

  #sendBody(
    request: RequestRecord,
    exchange: Exchange,
    body: Bytes | ResponseBody,
    cut: BodyCut | null,
    framing: BodyFraming,
    type: string | null,
  ): void {
    const head = this.#heads.head(request, framing, type)
    if (request.headerOnly) {
      if (!isBytes(body)) body.discard()
      // In the access log of httpd, the length that GET would have is that of HEAD over HTTP/2.
      if (exchange.isStream && framing.kind === 'length') request.bodyBytesSent = framing.length
      return exchange.respond(head, null, request)
    }
    if (request.sendRate !== null) {
      const length = framing.kind === 'length' ? framing.length : null
      // A file that nobody has begun to read is still open.
      if (!isBytes(body) && body.isDivisible) request.onDone(() => body.discard())
      return pacedBody(body, cut, request.sendRate, length).send(request, exchange, head, this.#failed)
    }
    if (isBytes(body)) sendBytes(body, request, exchange, head, cut)
    else body.send(request, exchange, head, this.#failed, cut)
  }

  readonly #failed: SendFailed = (request, error) => {
    if (isResponseCut(error)) {
      if (error.unlogged !== undefined)
        this.#log.write(request, 'error', 'AH00574', 'ap_content_length_filter: apr_bucket_read() failed', error.unlogged)
      return
    }
    // Clients decide how many requests have no readable body, and the reason has its own line.
    const level = error instanceof UnreadableBody ? 'info' : 'error'
    const place = level === 'info' ? undefined : placeInModule(error)
    const where = place === undefined ? '' : ` at ${place}`
    this.#log.write(request, level, '', `a response could not be completed: ${errorMessage(error)}${where}`)
  }
}

/** How the end of a whole body is announced. */
function framingOf(request: RequestRecord, length: number | null): BodyFraming {
  if (request.rangeRefused && typeof request.body === 'string') return request.headerOnly ? UNSTATED : MARKED_IF_KEPT
  if (statesChunks(request)) return ENCODED
  if (length === null) return request.headerOnly && !statesCoding(request) ? UNSTATED : MARKED
  if (request.lengthUnstated) return CLOSE
  if (isLongErrorPage(request, length)) return MARKED
  // Like httpd, the server does not state the length of an error page or an empty body in response to HEAD.
  return request.headerOnly && (request.errorStatus !== 0 || length === 0) ? NONE : { kind: 'length', length }
}

/** httpd begins to send such a page before it has all of it, so it does not know the length. */
function isLongErrorPage({ errorStatus, headerOnly, body }: RequestRecord, length: number): boolean {
  return errorStatus !== 0 && length > BUFFERED_PAGE && typeof body === 'string' && !headerOnly
}

/** Whether a module has set Transfer-Encoding: the response to GET would be sent in chunks. */
function statesCoding({ existingHeadersOut }: RequestRecord): boolean {
  return existingHeadersOut?.has('Transfer-Encoding') === true
}
