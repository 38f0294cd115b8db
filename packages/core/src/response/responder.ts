import type { Body, FileBody } from '@gatewright/api'
import { type Exchange, type FilePart, HTTP_0_9, HTTP_1_1, wireBytes } from '@gatewright/http'
import { discardBody, discardStream, endIterator } from '../base/discard-body.ts'
import { errorMessage } from '../base/error-text.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { type FileCache, SMALL_FILE, SmallFile } from '../services/file-cache.ts'
import { OpenFile } from '../services/open-file.ts'
import { contentTypeOf } from './content-type.ts'
import { HeadWriter } from './head.ts'
import { createBoundary, multipart } from './multipart.ts'
import type { ByteRange } from './ranges.ts'
import { type RequestedRanges, requestedRanges } from './requested-ranges.ts'

/**
 * Sends the response that handlers left in a request: a text, bytes, a file or a stream, whole or in ranges.
 * This class decides everything about the form of an HTTP response, so handlers need not consider HEAD,
 * ranges or framing.
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
    const body = request.body ?? ''
    if (request.exchange === null) return request.responseSent()
    if (request.status === 304 || request.status === 204) {
      discardBody(request.body)
      return this.#sendBytes(request, null, { kind: 'none' }, null)
    }
    if (request.rangeRefused && typeof body === 'string') return this.#sendRangeRefusal(request, body)
    if (typeof body === 'string' || body instanceof Uint8Array) return this.#sendWhole(request, toBuffer(body))
    if (isFileBody(body)) return this.#sendFile(request, body)
    this.#sendStream(request, body)
  }

  /**
   * The bytes of a response with a small file exactly as sent before, if no input of its head has changed;
   * null if `send` must build the response. Fields that modules set need no further check then.
   */
  imageFor(request: RequestRecord): Buffer | null {
    const { body, exchange } = request
    if (!(body instanceof SmallFile) || body.image === null || exchange === null || !isPlain(request)) return null
    const bytes = this.#heads.again(body.image, request)
    if (bytes !== null) request.bodyBytesSent = body.content.length
    return bytes
  }

  /** Sends what `imageFor` returned. */
  sendImage(request: RequestRecord, image: Buffer): void {
    request.exchange?.send('', image, request.persistent, request)
  }

  #sendWhole(request: RequestRecord, content: Buffer | string): void {
    const ranges = requestedRanges(request, content.length)
    if (ranges !== null && ranges !== 'unsatisfiable') return this.#sendRanges(request, content, content.length, ranges)
    this.#sendBytes(request, content, this.#lengthOf(request, content.length), contentTypeOf(request))
  }

  /**
   * Like httpd, the server does not state the length of an error page or an empty body in response to HEAD.
   */
  #lengthOf(request: RequestRecord, length: number): BodyFraming {
    if (request.lengthUntold) return { kind: 'close' }
    return request.headerOnly && (request.errorStatus !== 0 || length === 0) ? { kind: 'none' } : { kind: 'length', length }
  }

  #sendBytes(request: RequestRecord, content: Buffer | string | null, framing: BodyFraming, type: string | null): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    const head = this.#heads.head(request, framing, type)
    const body = request.headerOnly || content === null ? null : content
    if (body !== null) request.bodyBytesSent = body.length
    exchange.send(head, body, request.persistent, request)
  }

  #sendSmallFile(request: RequestRecord, file: SmallFile): void {
    const { exchange } = request
    if (exchange === null || !isPlain(request)) return this.#sendWhole(request, file.content)
    const image = this.#heads.image(request, file)
    if (image === null) return this.#sendWhole(request, file.content)
    request.bodyBytesSent = file.content.length
    exchange.send('', image.bytes, request.persistent, request)
  }

  #sendFile(request: RequestRecord, file: FileBody): void {
    if (file instanceof SmallFile) return this.#sendSmallFile(request, file)
    const { path, info } = file
    let content: Buffer | null = null
    let ranges: RequestedRanges = null
    let open: OpenFile | null = null
    try {
      if (info.size <= SMALL_FILE) content = this.#files.small(path, info).content
      else {
        ranges = requestedRanges(request, info.size)
        if (!request.headerOnly) open = new OpenFile(path, info)
      }
    } catch (error) {
      this.#breakOff(request, error)
      request.exchange?.connection.destroy()
      return request.responseBroken()
    }
    if (content !== null) return this.#sendWhole(request, content)
    if (ranges !== null && ranges !== 'unsatisfiable') return this.#sendRanges(request, open, info.size, ranges)
    this.#sendParts(request, open === null ? [] : [partOf(open, 0, info.size)], info.size, contentTypeOf(request))
  }

  #sendParts(request: RequestRecord, parts: readonly FilePart[], length: number, type: string | null): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    const head = this.#heads.head(request, { kind: 'length', length }, type)
    if (request.headerOnly) {
      exchange.send(head, null, request.persistent, request)
      return
    }
    const before = exchange.bytesSent
    exchange.sendFile(head, parts, request.persistent, (complete, failure) => {
      request.bodyBytesSent = Math.max(0, exchange.bytesSent - before - head.length)
      if (failure !== null) this.#breakOff(request, failure)
      if (complete) request.responseSent()
      else request.responseBroken()
    })
  }

  /** Logs why the client does not get the complete response, or nothing. */
  #breakOff(request: RequestRecord, error: unknown): void {
    const text = errorMessage(error)
    this.#log.write(request, 'error', '', `a response could not be completed: ${text}`)
  }

  /** @param source bytes in memory, or a file, which is closed here; null for the file of a HEAD request */
  #sendRanges(
    request: RequestRecord,
    source: Buffer | string | OpenFile | null,
    size: number,
    ranges: readonly ByteRange[],
  ): void {
    request.status = 206
    const type = contentTypeOf(request)
    const pieces: { readonly prefix: string; readonly start: number; readonly length: number }[] = []
    let suffix = ''
    let length = 0
    let partType = type
    if (ranges.length === 1) {
      const [{ start, end }] = ranges
      request.headersOut.set('Content-Range', `bytes ${start}-${end}/${size}`)
      pieces.push({ prefix: '', start, length: end - start + 1 })
      length = end - start + 1
    } else {
      const parts = multipart(ranges, type, size, this.#boundary)
      ranges.forEach(({ start, end }, index) => {
        pieces.push({ prefix: parts.prefixes[index], start, length: end - start + 1 })
      })
      suffix = parts.suffix
      length = parts.length
      partType = `multipart/byteranges; boundary=${this.#boundary}`
    }
    if (source === null) return this.#sendParts(request, [], length, partType)
    if (source instanceof OpenFile) {
      const last = pieces.length - 1
      const files = pieces.map(({ prefix, start, length: count }, index) => ({
        ...partOf(source, start, count),
        closeFd: index === last,
        prefix: prefix === '' ? undefined : prefix,
        suffix: index === last && suffix !== '' ? suffix : undefined,
      }))
      return this.#sendParts(request, files, length, partType)
    }
    const content = typeof source === 'string' ? wireBytes(source) : source
    const body = Buffer.concat([
      ...pieces.flatMap(({ prefix, start, length: count }) => [wireBytes(prefix), content.subarray(start, start + count)]),
      wireBytes(suffix),
    ])
    this.#sendBytes(request, body, { kind: 'length', length: body.length }, partType)
  }

  #sendRangeRefusal(request: RequestRecord, page: string): void {
    const end: BodyFraming = request.headerOnly ? { kind: 'untold' } : this.#streamFraming(request)
    this.#streamText(request, page, this.#heads.wouldPersist(request) ? end : { kind: 'close' })
  }

  #streamText(request: RequestRecord, text: string, framing: BodyFraming): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    const head = this.#heads.head(request, framing, contentTypeOf(request))
    if (request.headerOnly) {
      exchange.send(head, null, request.persistent, request)
      return
    }
    exchange.begin(head, framing.kind === 'chunked' ? 'chunked' : 'identity')
    exchange.write(text)
    request.bodyBytesSent = text.length
    exchange.finish(request.persistent, request)
  }

  /**
   * A body of unknown length is chunked for HTTP/1.1. It ends with the connection for older clients, and for
   * a client that still waits for a 100 (Continue), whose connection is not reused.
   */
  #streamFraming(request: RequestRecord): BodyFraming {
    return request.version >= HTTP_1_1 && request.exchange?.awaitsContinue !== true ? { kind: 'chunked' } : { kind: 'close' }
  }

  #sendStream(request: RequestRecord, body: AsyncIterable<string | Uint8Array>): void {
    const { exchange } = request
    if (exchange === null) return request.responseSent()
    const framing: BodyFraming = request.headerOnly ? { kind: 'untold' } : this.#streamFraming(request)
    const head = this.#heads.head(request, framing, contentTypeOf(request))
    if (request.headerOnly) {
      discardStream(body)
      exchange.send(head, null, request.persistent, request)
      return
    }
    exchange.begin(head, framing.kind === 'chunked' ? 'chunked' : 'identity')
    this.#pump(request, exchange, body).then(
      (complete) => {
        if (complete) exchange.finish(request.persistent, request)
        else request.responseBroken()
      },
      (error: unknown) => {
        if (!exchange.aborted) this.#breakOff(request, error)
        exchange.connection.destroy()
        request.responseBroken()
      },
    )
  }

  /**
   * Sends chunks at the client's pace. Returns false if the client has disconnected, without waiting for an
   * idle source.
   */
  async #pump(request: RequestRecord, exchange: Exchange, body: AsyncIterable<string | Uint8Array>): Promise<boolean> {
    const chunks = body[Symbol.asyncIterator]()
    let wake: (() => void) | null = null
    const forget = exchange.whenGone(() => wake?.())
    try {
      while (!exchange.aborted) {
        const next = await new Promise<IteratorResult<string | Uint8Array> | null>((resolve, reject) => {
          wake = () => resolve(null)
          chunks.next().then(resolve, reject)
        })
        if (next === null) break
        if (next.done === true) return true
        const bytes = toBuffer(next.value)
        request.bodyBytesSent += bytes.length
        if (exchange.write(bytes) || exchange.aborted) continue
        await new Promise<void>((resolve) => {
          wake = resolve
          exchange.onDrain = resolve
        })
        exchange.onDrain = null
      }
    } finally {
      forget()
    }
    endIterator(chunks)
    return false
  }
}

/** Bytes of a file, which is closed after them. */
function partOf(file: OpenFile, start: number, length: number): FilePart {
  return { fd: file.fd, start, length, closeFd: true, fault: () => file.fault() }
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

function toBuffer(chunk: string | Uint8Array): Buffer | string {
  if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) return chunk
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

function isFileBody(body: Exclude<Body, string | Uint8Array>): body is FileBody {
  return 'path' in body && 'info' in body
}
