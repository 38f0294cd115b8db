import { performance } from 'node:perf_hooks'
import type { Table } from '@gatewright/api'
import { createHttpDateClock } from '@gatewright/api/text'
import { HTTP_0_9, HTTP_1_1 } from '@gatewright/http'
import { dropsConnection, statusLine } from '../base/status-lines.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { ResponseImage } from '../model/response-image.ts'
import type { SmallFile } from '../services/file-cache.ts'
import { contentTypeOf } from './content-type.ts'
import { hasField, hasToken, joinLanguages, joinVary, takeField } from './own-fields.ts'

/** Builds the heads of responses. One per configuration: it caches the date of the current second. */
export class HeadWriter {
  readonly #server: string
  readonly #date: (ms: number) => string = createHttpDateClock()

  /** @param server value of the Server header */
  constructor(server: string) {
    this.#server = server
  }

  /**
   * Status line and header fields in httpd's order: Date (when the request arrived), Server, the fields that
   * survive errors, the others in the order in which they were set, the length, persistence, and the type
   * last. If length and type were set among the others, they stay there. Decides whether the connection
   * persists. '' for HTTP/0.9.
   * @param contentType value of Content-Type, null for none
   */
  head(request: RequestRecord, framing: BodyFraming, contentType: string | null): string {
    const ownConnection = takeField(request, 'Connection')
    request.persistent =
      this.#decidePersistence(request, framing) && (ownConnection === null || !hasToken(ownConnection, 'close'))
    request.sentFraming = framing
    request.firstByteAtUs = performance.now() * 1000
    if (request.version === HTTP_0_9) return ''
    let head = `${request.forcedTo10 ? 'HTTP/1.0' : 'HTTP/1.1'} ${statusLine(request.status)}\r\nDate: ${this.#date(request.receivedAt)}\r\nServer: ${this.#server}\r\n`
    joinVary(request)
    const languages = request.contentLanguages.length > 0 && framing.kind !== 'none' ? languagesOf(request) : null
    if (request.contentEncoding !== null && framing.kind !== 'none') takeField(request, 'Content-Encoding')
    const length = framing.kind === 'length' ? `Content-Length: ${framing.length}\r\n` : ''
    const type = contentType !== null ? `Content-Type: ${contentType}\r\n` : framing.kind === 'none' ? '' : null
    const always = request.existingErrHeadersOut
    if (always !== null) head += fields(always, { length: '', type: type === null ? null : '' })
    const normal = request.existingHeadersOut
    if (normal !== null) head += fields(normal, { length, type })
    if (normal?.has('Content-Length') !== true) head += length
    head += this.#connectionFields(request, ownConnection)
    if (framing.kind === 'chunked') head += 'Transfer-Encoding: chunked\r\n'
    if (type !== null && normal?.has('Content-Type') !== true) head += type
    if (framing.kind !== 'none') {
      if (request.contentEncoding !== null) head += `Content-Encoding: ${request.contentEncoding}\r\n`
      if (languages !== null) head += `Content-Language: ${languages}\r\n`
    }
    return `${head}\r\n`
  }

  /**
   * The response to this request if it matches the image, except for the fields about the connection;
   * otherwise null. Records in the request everything that building its head would record. Fields that
   * modules added need no further check: those of the image were checked.
   */
  again(image: ResponseImage, request: RequestRecord): Buffer | null {
    request.persistent = this.#decidePersistence(request, image.framing)
    if (image.date !== this.#date(request.receivedAt) || image.contentType !== contentTypeOf(request)) return null
    if (!image.hasFieldsOf(request)) return null
    const bytes = image.bytesWith(this.#connectionFields(request, null))
    if (bytes === null) return null
    request.sentFraming = image.framing
    request.firstByteAtUs = performance.now() * 1000
    return bytes
  }

  /**
   * Builds the head of a response with a small file, and its image if the file is requested often; otherwise
   * returns null without effect. At most one image is built per second: if responses differ from each other,
   * each image would be useless.
   */
  image(request: RequestRecord, file: SmallFile): ResponseImage | null {
    const date = this.#date(request.receivedAt)
    if (file.sentOn !== date || file.image?.date === date || hasField(request, 'Connection')) {
      file.sentOn = date
      return null
    }
    const framing: BodyFraming = { kind: 'length', length: file.content.length }
    const contentType = contentTypeOf(request)
    const head = this.head(request, framing, contentType)
    file.image = new ResponseImage(
      request,
      { date, contentType, framing, connection: this.#connectionFields(request, null) },
      head,
      file.content,
    )
    return file.image
  }

  /** Whether the connection would persist after a body whose end is marked. */
  wouldPersist(request: RequestRecord): boolean {
    return this.#decidePersistence(request, { kind: 'chunked' })
  }

  #decidePersistence(request: RequestRecord, framing: BodyFraming): boolean {
    const { exchange, connection } = request
    if (exchange === null || !exchange.persistencePossible || request.version === HTTP_0_9 || request.forcedTo10) return false
    if (request.version < HTTP_1_1 && !exchange.sentKeepAliveToken) return false
    if (framing.kind === 'close' || dropsConnection(request.status) || request.original.endsConnection) return false
    const { core } = request.server
    if (core.keepAlive === false || exchange.connection.draining) return false
    const limit = core.maxKeepAliveRequests ?? 100
    if (limit > 0 && connection.keepalives >= limit) return false
    // `nokeepalive` is meant for faulty clients and does not apply to proxies.
    return request.existingEnv?.has('nokeepalive') !== true || request.headersIn.has('Via')
  }

  /**
   * Sends Keep-Alive and its parameters only to clients that use that token.
   * @param own the connection tokens that modules set, null if there are none
   */
  #connectionFields(request: RequestRecord, own: string | null): string {
    if (!request.persistent) return own === null ? 'Connection: close\r\n' : `Connection: ${closing(own)}\r\n`
    if (request.exchange?.sentKeepAliveToken !== true) return own === null ? '' : `Connection: ${own}\r\n`
    return `Keep-Alive: ${keepAliveParameters(request)}\r\nConnection: ${own === null ? '' : `${own}, `}Keep-Alive\r\n`
  }
}

/** Value of the field Keep-Alive: the timeout and the number of further requests. */
export function keepAliveParameters({ server: { core }, connection }: RequestRecord): string {
  const limit = core.maxKeepAliveRequests ?? 100
  const timeout = Math.floor((core.keepAliveTimeout ?? 5000) / 1000)
  return limit > 0 ? `timeout=${timeout}, max=${limit - connection.keepalives}` : `timeout=${timeout}`
}

function closing(own: string): string {
  return hasToken(own, 'close') ? own : `${own}, close`
}

function languagesOf(request: RequestRecord): string {
  return joinLanguages(request.contentLanguages, takeField(request, 'Content-Language') ?? '')
}

/**
 * Lines about the body, at the place where a table has the field. The table describes the body before ranges
 * and filters.
 */
interface BodyLines {
  readonly length: string
  /** null if the type is known only from the table. */
  readonly type: string | null
}

/**
 * Only the code that frames the body states its framing: with a second statement, clients could disagree on
 * where the response ends.
 */
function fields(table: Table, { length, type }: BodyLines): string {
  let text = ''
  let nextLength = length
  let nextType = type
  for (let index = 0; index < table.size; index++) {
    const name = table.name(index)
    if (isNamed(name, 'Content-Length')) {
      text += nextLength
      nextLength = ''
    } else if (nextType !== null && isNamed(name, 'Content-Type')) {
      text += nextType
      nextType = ''
    } else if (!isNamed(name, 'Transfer-Encoding')) text += `${name}: ${table.value(index)}\r\n`
  }
  return text
}

function isNamed(name: string, wanted: string): boolean {
  return name === wanted || (name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase())
}
