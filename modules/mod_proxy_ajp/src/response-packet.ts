import { BAD_HEADER, type FaultLine, OVERFLOW, PacketFault } from './faults.ts'
import { MessageReader } from './message-reader.ts'

/** Types of packets of a back end. */
export const PACKET = { bodyChunk: 3, headers: 4, endResponse: 5, getBodyChunk: 6, cpong: 9 } as const

/** Names of fields by the low byte of their codes. */
const FIELDS: readonly string[] = [
  '',
  'Content-Type',
  'Content-Language',
  'Content-Length',
  'Date',
  'Last-Modified',
  'Location',
  'Set-Cookie',
  'Set-Cookie2',
  'Servlet-Engine',
  'Status',
  'WWW-Authenticate',
]

/** Status and fields of a response. */
export interface AjpHead {
  readonly status: number
  /** Null if the back end has sent none. */
  readonly reason: string | null
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Lines about what was read although it is not complete. */
  readonly lines: readonly FaultLine[]
}

/** Reads the head of a response. @throws PacketFault for one that is none */
export function readHead(content: Buffer): AjpHead {
  const message = new MessageReader(content)
  message.uint8()
  const status = message.uint16()
  if (status === null) throw broken(message, 'AH00983', 'Null status')
  const reason = message.string()
  const count = message.uint16()
  if (count === null) throw broken(message, 'AH10405', 'Bad number of headers')
  const fields: (readonly [string, string])[] = []
  for (let i = 0; i < count; i++) {
    const name = readName(message)
    const value = message.string()
    if (value === null) throw broken(message, 'AH00986', 'Null header value')
    fields.push([name, value])
  }
  return { status, reason, fields, lines: message.lines }
}

function readName(message: MessageReader): string {
  const code = message.peekUint16()
  if (code === null) throw new PacketFault(message.lines, OVERFLOW)
  if (code >> 8 !== 0xa0) {
    const name = message.string()
    if (name === null) throw broken(message, 'AH00985', 'Null header name')
    return name
  }
  message.uint16()
  const name = FIELDS[code & 0xff] ?? ''
  if (name !== '') return name
  const text = `ajp_unmarshal_response: No such sc (${code.toString(16).padStart(8, '0')})`
  throw new PacketFault([{ code: 'AH00984', text, isOfRequest: true }], BAD_HEADER)
}

function broken({ lines }: MessageReader, code: string, text: string): PacketFault {
  return new PacketFault([...lines, { code, text: `ajp_unmarshal_response: ${text}`, isOfRequest: true }], OVERFLOW)
}

/** A part of the body; an empty one asks that what precedes it is sent. @throws PacketFault for a wrong length */
export function readBodyChunk(content: Buffer): Buffer {
  const message = new MessageReader(content)
  message.uint8()
  const length = message.uint16()
  if (length === null) throw new PacketFault(message.lines, OVERFLOW)
  const expected = content.length - 4
  const line = (code: string, text: string): PacketFault =>
    new PacketFault([{ code, text: `ajp_parse_data: ${text}`, isOfRequest: true }], BAD_HEADER)
  if (expected < 0) throw line('AH10546', 'Message too small')
  if (length !== expected) {
    throw line('AH00998', `Wrong chunk length. Length of chunk is ${length}, expected length is ${expected}.`)
  }
  return content.subarray(3, 3 + length)
}

/** Whether the connection may be used again. @throws PacketFault if the packet does not state it */
export function readReuse(content: Buffer): boolean {
  const message = new MessageReader(content)
  message.uint8()
  const reuse = message.uint8()
  if (reuse === null) throw new PacketFault(message.lines, OVERFLOW)
  return reuse !== 0
}
