import { type Exchange, type ResponseHead, wireBytes } from '@gatewright/http'
import type { RequestRecord } from '../../model/request-record.ts'
import type { BodyCut } from './response-body.ts'

/** A text with one character for each byte, or bytes: a body in memory needs nothing else to be sent. */
export type Bytes = Buffer | string

const EMPTY = Buffer.alloc(0)

/** A chunk of a body in the engine's form, without a copy. */
export function bytesOf(chunk: string | Uint8Array): Bytes {
  if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) return chunk
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

export function isBytes(body: Bytes | object): body is Bytes {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** Sends a head and a body in memory. @param cut null for the whole body */
export function sendBytes(
  body: Bytes,
  request: RequestRecord,
  exchange: Exchange,
  head: ResponseHead,
  cut: BodyCut | null,
): void {
  const content = cut === null ? body : cutOf(bufferOf(body), cut)
  request.bodyBytesSent = content.length
  if (head.end === 'stated') return exchange.respond(head, content, request)
  exchange.begin(head)
  exchange.write(content)
  exchange.finish('', request)
}

export function bufferOf(body: Bytes): Buffer {
  if (typeof body !== 'string') return body
  return body === '' ? EMPTY : wireBytes(body)
}

/** The parts of a body in memory, and the texts between them. */
export function cutOf(content: Buffer, { pieces, suffix }: BodyCut): Buffer {
  const parts: Buffer[] = []
  for (const { prefix, start, length } of pieces) parts.push(wireBytes(prefix), content.subarray(start, start + length))
  return Buffer.concat([...parts, wireBytes(suffix)])
}
