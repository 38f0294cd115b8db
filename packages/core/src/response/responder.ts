import { type Exchange, HTTP_0_9 } from '@gatewright/http'
import { discardBody } from '../base/discard-body.ts'
import { errorMessage } from '../base/error-text.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { type FileCache, SmallFile } from '../services/file-cache.ts'
import { bodyOf } from './bodies/body-of.ts'
import type { BodyCut, Delivery, ResponseBody } from './bodies/response-body.ts'
import { contentTypeOf } from './content-type.ts'
import { HeadWriter } from './head.ts'
import { createBoundary, multipart } from './multipart.ts'
import type { ByteRange } from './ranges.ts'
import { requestedRanges } from './requested-ranges.ts'

const NONE: BodyFraming = { kind: 'none' }
const UNTOLD: BodyFraming = { kind: 'untold' }
const CLOSE: BodyFraming = { kind: 'close' }
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

  constructor(serverHeader: string, files: FileCache, log: CoreLog) {
    this.#heads = new HeadWriter(serverHeader)
    this.#files = files
    this.#log = log
  }

  send(request: RequestRecord): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    if (request.status === 304 || request.status === 204) {
      discardBody(request.body)
      return exchange.respond(this.#heads.head(request, NONE, null), null, request)
    }
    if (request.body instanceof SmallFile && this.#sendAndKeep(request, exchange, request.body)) return
    const body = this.#opened(request, exchange)
    if (body === null) return
    const ranges = body.length !== null && body.isDivisible ? requestedRanges(request, body.length) : null
    if (ranges !== null && ranges !== 'unsatisfiable') return this.#sendRanges(request, exchange, body, ranges)
    this.#sendBody(request, exchange, body, null, framingOf(request, body), contentTypeOf(request))
  }

  /**
   * The bytes of a response with a small file exactly as sent before, if no input of its head has changed;
   * null if `send` must build the response. Fields that modules set need no further check then.
   */
  imageFor(request: RequestRecord): Buffer | null {
    const { body, exchange } = request
    if (!(body instanceof SmallFile) || body.image === null || exchange === null || !isPlain(request)) return null
    const { images } = exchange
    const bytes = images === null ? null : this.#heads.again(body.image, request, images)
    if (bytes !== null) request.bodyBytesSent = body.content.length
    return bytes
  }

  /** Sends what `imageFor` returned. */
  sendImage(request: RequestRecord, image: Buffer): void {
    request.exchange?.images?.sendImage(image, request)
  }

  /** Sends a small file and keeps the response. Returns false if the file is not requested often enough. */
  #sendAndKeep(request: RequestRecord, exchange: Exchange, file: SmallFile): boolean {
    const { images } = exchange
    if (images === null || !isPlain(request)) return false
    const image = this.#heads.image(request, file, images)
    if (image === null) return false
    request.bodyBytesSent = file.content.length
    images.sendImage(image.wire.bytes, request)
    return true
  }

  /** The body, ready to be sent; null, and the response is broken off, if it cannot be. */
  #opened(request: RequestRecord, exchange: Exchange): ResponseBody | null {
    try {
      const body = bodyOf(request.body, this.#files)
      if (!request.headerOnly) body.open()
      return body
    } catch (error) {
      this.#failed(request, error)
      exchange.breakOff()
      request.responseBroken()
      return null
    }
  }

  #sendRanges(request: RequestRecord, exchange: Exchange, body: ResponseBody, ranges: readonly ByteRange[]): void {
    const size = body.length ?? 0
    request.status = 206
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
    body: ResponseBody,
    cut: BodyCut | null,
    framing: BodyFraming,
    type: string | null,
  ): void {
    const head = this.#heads.head(request, framing, type)
    if (!request.headerOnly) return body.send({ request, exchange, head, cut, failed: this.#failed })
    body.discard()
    exchange.respond(head, null, request)
  }

  readonly #failed: Delivery['failed'] = (request, error) => {
    this.#log.write(request, 'error', '', `a response could not be completed: ${errorMessage(error)}`)
  }
}

/** How the end of a whole body is announced. */
function framingOf(request: RequestRecord, { length }: ResponseBody): BodyFraming {
  if (request.rangeRefused && typeof request.body === 'string') return request.headerOnly ? UNTOLD : MARKED_IF_KEPT
  if (length === null) return request.headerOnly ? UNTOLD : MARKED
  if (request.lengthUntold) return CLOSE
  // Like httpd, the server does not state the length of an error page or an empty body in response to HEAD.
  return request.headerOnly && (request.errorStatus !== 0 || length === 0) ? NONE : { kind: 'length', length }
}

/** A whole file in response to a request without ranges or conditions. */
function isPlain(request: RequestRecord): boolean {
  return (
    request.status === 200 &&
    !request.headerOnly &&
    !request.lengthUntold &&
    request.errorStatus === 0 &&
    request.version !== HTTP_0_9 &&
    !request.forcedTo10 &&
    request.contentEncoding === null &&
    request.contentLanguages.length === 0 &&
    request.headersIn.get('range') === undefined
  )
}
