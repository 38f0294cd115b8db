import { HpackDecoder } from '@gatewright/http2/hpack'
import type { Conversation, Frame } from './conversation.ts'
import type { Verdict } from './verdict.ts'

type Field = readonly [name: string, value: string]

const HEADERS = 1
const PRIORITY = 2
const SETTINGS = 4
const PING = 6
const CONTINUATION = 9

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const VALUE = /^(?![ \t])[\t\x20-\x7e\x80-\xff]*(?<![ \t])$/
const AUTHORITY = /^[A-Za-z0-9\-._~!$&'()*+,;=:[\]%]+$/

/** The name of a difference that is meant; null for any other. */
export function knownDifference(conversation: Conversation, ours: Verdict, nghttp2: Verdict): string | null {
  if (nghttp2.connection === 'error 2' && conversation.some(({ type, flags }) => type === PING && (flags & 1) === 1)) {
    return 'Node, not nghttp2, ends a connection over the acknowledgement of a PING that it has not sent; httpd does not'
  }
  if (ours.connection === 'alive' && ours.hasReset && nghttp2.connection.startsWith('error')) {
    return 'nghttp2 takes a stream for open until its RST_STREAM was sent, so that what follows in the same read ends the connection'
  }
  if (ours.connection.startsWith('error') && nghttp2.connection === 'alive' && conversation.some(repeatsSetting)) {
    return 'of several settings of one kind in a frame nghttp2 sees the last alone; RFC 9113 section 6.5.3 processes each'
  }
  if (ours.connection.startsWith('error') && nghttp2.connection === 'alive' && conversation.some(isPriorityOfNone)) {
    return 'nghttp2 of Node ignores a frame PRIORITY of stream 0; that of httpd 2.4.71 does not'
  }
  if (ours.connection.startsWith('error') && nghttp2.connection.startsWith('error')) {
    return ours.connection === nghttp2.connection ? null : 'both end the connection, for another of several reasons'
  }
  if (ours.connection !== nghttp2.connection) return null
  const dropped = streamsWithInvalidFields(conversation)
  const others = (texts: readonly string[]): string =>
    texts.filter((text) => !dropped.has(Number.parseInt(text, 10)) || !/answered|reset 1$/.test(text)).join()
  if (others(ours.streams) !== others(nghttp2.streams)) return null
  return 'Node leaves out fields with invalid names or values; httpd resets the stream'
}

function isPriorityOfNone({ type, stream }: Frame): boolean {
  return type === PRIORITY && stream === 0
}

function repeatsSetting({ type, payload }: Frame): boolean {
  if (type !== SETTINGS) return false
  const ids: number[] = []
  for (let at = 0; at + 6 <= payload.length; at += 6) ids.push(payload.readUInt16BE(at))
  return new Set(ids).size < ids.length
}

/** Streams whose header blocks have a field that is invalid by itself. */
function streamsWithInvalidFields(conversation: Conversation): Set<number> {
  const blocks = new Map<number, Buffer[]>()
  for (const { type, flags, stream, payload } of conversation) {
    if (type !== HEADERS && type !== CONTINUATION) continue
    const isPadded = type === HEADERS && (flags & 8) !== 0
    const start = (isPadded ? 1 : 0) + (type === HEADERS && (flags & 32) !== 0 ? 5 : 0)
    const part = payload.subarray(start, payload.length - (isPadded ? (payload[0] ?? 0) : 0))
    blocks.set(stream, [...(blocks.get(stream) ?? []), part])
  }
  const found = new Set<number>()
  for (const [stream, parts] of blocks) {
    const block = Buffer.concat(parts)
    const fields: Field[] = []
    new HpackDecoder().decode(block, 0, block.length, { field: (name, value) => fields.push([name, value]) })
    if (fields.some(isInvalid)) found.add(stream)
  }
  return found
}

function isInvalid([name, value]: Field): boolean {
  if (name.startsWith(':') && name.length > 1) return false
  return !NAME.test(name) || !VALUE.test(value) || (name === 'host' && !AUTHORITY.test(value))
}
