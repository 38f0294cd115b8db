import { performance } from 'node:perf_hooks'
import type { Table } from '@gatewright/api'
import { createHttpDateClock } from '@gatewright/api/text'
import { type BodyEnd, HTTP_1_1, type KeepAliveTerms, type ResponseHead, type ResponseImages } from '@gatewright/http'
import { knownStatus, reasonPhrase } from '../base/status-lines.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RepeatedBody } from '../model/repeated-body.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { ResponseImage } from '../model/response-image.ts'
import { contentTypeOf } from './content-type.ts'
import { keepAliveTerms, type Refilled } from './keep-alive.ts'
import { hasField, joinLanguages, joinVary, takeField, takeFirstField } from './own-fields.ts'

/** Builds the heads of responses. One per configuration: it caches the date of the current second. */
export class HeadWriter {
  readonly #server: string
  readonly #terms: Refilled<KeepAliveTerms> = { timeout: 0, requestsLeft: 0 }
  readonly #head: Refilled<ResponseHead> = {
    status: 200,
    reason: '',
    fields: '',
    contentFields: '',
    end: 'stated',
    keepAlive: null,
    connectionOptions: null,
    version: HTTP_1_1,
    claimsHttp10: false,
  }
  readonly #date: (ms: number) => string = createHttpDateClock()

  /** @param server value of the Server header */
  constructor(server: string) {
    this.#server = server
  }

  /**
   * The header fields in httpd's order: Date (when the request arrived), Server, the fields that survive
   * errors, the others in the order in which they were set, the length, those of the exchange, and the type
   * last. If length and type were set among the others, they stay there.
   * @param contentType value of Content-Type, null for none
   * @returns an object that the next call fills again
   */
  head(request: RequestRecord, framing: BodyFraming, contentType: string | null): ResponseHead {
    const connectionPlace = placeOfConnection(request.existingHeadersOut)
    const connectionOptions = takeField(request, 'Connection')
    request.sentFraming = framing
    request.firstByteAtUs = performance.now() * 1000
    let fields = request.proxyRequest === null ? this.#ownFields(request) : this.#relayedFields(request)
    joinVary(request)
    const hasContent = framing.kind !== 'none'
    const languages = request.contentLanguages.length > 0 && hasContent ? languagesOf(request) : null
    if (request.contentEncoding !== null && hasContent) takeField(request, 'Content-Encoding')
    const length = framing.kind === 'length' ? `Content-Length: ${framing.length}\r\n` : ''
    // Without a body, the type is sent only if another server or a module has stated it as a field.
    const type = contentType !== null ? `Content-Type: ${contentType}\r\n` : null
    const always = request.existingErrHeadersOut
    const coding = framing.kind === 'encoded'
    if (always !== null) fields += linesOf(always, { length: '', type: type === null ? null : '', coding })
    const normal = request.existingHeadersOut
    let contentFields = ''
    // Those of the exchange stand where Connection was.
    const place = connectionPlace < 0 ? Number.POSITIVE_INFINITY : connectionPlace
    if (normal !== null) fields += linesOf(normal, { length, type, coding }, 0, place)
    if (normal !== null && connectionPlace >= 0) contentFields = linesOf(normal, { length, type, coding }, place)
    if (normal?.has('Content-Length') !== true) {
      if (connectionPlace < 0) fields += length
      else contentFields += length
    }
    if (type !== null && normal?.has('Content-Type') !== true) contentFields += type
    if (hasContent) {
      if (request.contentEncoding !== null) contentFields += `Content-Encoding: ${request.contentEncoding}\r\n`
      if (languages !== null) contentFields += `Content-Language: ${languages}\r\n`
    }
    const head = this.#head
    head.status = request.reason === null ? knownStatus(request.status) : request.status
    head.reason = request.reason ?? reasonPhrase(request.status)
    head.fields = fields
    head.contentFields = contentFields
    head.end = endOf(framing)
    head.keepAlive = keepAliveTerms(request, framing, this.#terms)
    head.connectionOptions = connectionOptions
    head.version = request.version
    head.claimsHttp10 = request.forcedTo10
    return head
  }

  #ownFields({ receivedAt }: RequestRecord): string {
    return `Date: ${this.#date(receivedAt)}\r\nServer: ${this.#server}\r\n`
  }

  /** The server that made the response has its own date and name. */
  #relayedFields(request: RequestRecord): string {
    const date = takeFirstField(request, 'Date') ?? this.#date(request.receivedAt)
    const server = takeFirstField(request, 'Server') ?? this.#server
    return `Date: ${date}\r\nServer: ${server}\r\n`
  }

  /**
   * The response to this request if it matches the image, except for the fields of the exchange; otherwise
   * null. Records in the request everything that building its head would record. Fields that modules added
   * need no further check: those of the image were checked.
   */
  again(image: ResponseImage, request: RequestRecord, images: ResponseImages): Buffer | null {
    if (image.date !== this.#date(request.receivedAt) || image.contentType !== contentTypeOf(request)) return null
    if (!image.hasFieldsOf(request)) return null
    const bytes = images.imageBytes(image.wire, keepAliveTerms(request, image.framing, this.#terms), request.version)
    if (bytes === null) return null
    request.sentFraming = image.framing
    request.firstByteAtUs = performance.now() * 1000
    return bytes
  }

  /**
   * Returns true if an image of the response should be kept: the body was sent in the same second before. At most
   * one image is built per second: if responses differ from each other, each image would be useless.
   */
  isRequestedOften(request: RequestRecord, body: RepeatedBody): boolean {
    const date = this.#date(request.receivedAt)
    if (
      body.sentOn === date &&
      body.image?.date !== date &&
      !hasField(request, 'Connection') &&
      !hasField(request, 'Transfer-Encoding')
    )
      return true
    body.sentOn = date
    return false
  }

  /** Builds the response with such a body, and keeps its image. */
  image(request: RequestRecord, body: RepeatedBody, images: ResponseImages): ResponseImage {
    const date = this.#date(request.receivedAt)
    const framing: BodyFraming = { kind: 'length', length: body.content.length }
    const contentType = contentTypeOf(request)
    const wire = images.makeImage(this.head(request, framing, contentType), body.content)
    const image = new ResponseImage(request, { date, contentType, framing, wire })
    body.image = image
    return image
  }
}

/** The place of the first field Connection; -1 without. */
function placeOfConnection(table: Table | null): number {
  if (table === null || !table.has('Connection')) return -1
  let place = 0
  while (!isNamed(table.name(place), 'Connection')) place++
  return place
}

function endOf({ kind }: BodyFraming): BodyEnd {
  return kind === 'marked' || kind === 'markedIfKept' ? kind : 'stated'
}

function languagesOf(request: RequestRecord): string {
  return joinLanguages(request.contentLanguages, takeField(request, 'Content-Language') ?? '')
}

/** The lines about the body. */
interface BodyLines {
  /** The line in place of Content-Length, '' for none. */
  readonly length: string
  /** The line in place of Content-Type, '' for none; null if the type is known only from the table. */
  readonly type: string | null
  /** Whether Transfer-Encoding is sent as the table has it. */
  readonly coding: boolean
}

/**
 * The fields of a table as lines. Fields about the body are replaced at their place in the table, which
 * describes the body before ranges and filters: only the code that frames the body states its framing,
 * because with a second statement clients could disagree on where the response ends.
 */
function linesOf(table: Table, { length, type, coding }: BodyLines, from = 0, to: number = Number.POSITIVE_INFINITY): string {
  let text = ''
  let nextLength = length
  let nextType = type
  for (let index = from; index < table.size && index < to; index++) {
    const name = table.name(index)
    if (isNamed(name, 'Content-Length')) {
      text += nextLength
      nextLength = ''
    } else if (nextType !== null && isNamed(name, 'Content-Type')) {
      text += nextType
      nextType = ''
    } else if (coding || !isNamed(name, 'Transfer-Encoding')) text += `${name}: ${table.value(index)}\r\n`
  }
  return text
}

function isNamed(name: string, wanted: string): boolean {
  return name === wanted || (name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase())
}
