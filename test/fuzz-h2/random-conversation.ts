import { seededNumbers } from '@gatewright/testing'
import type { Conversation, Frame } from './conversation.ts'

type Random = (limit: number) => number
type Field = readonly [name: string, value: string]

const NAMES = ['accept', 'x-a', 'cookie', 'user-agent', 'te', 'priority', 'expect', 'host', 'content-length', 'range']
const BAD_NAMES = ['X-A', 'x y', '', 'x:y', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', ':x', ':status', 'x\n']
const VALUES = ['', 'a', '*/*', 'trailers', 'u=1', '0', '3', 'b'.repeat(90), 'a=b; c=d', 'bytes=0-1', 'localhost', '\xe9']
const BAD_VALUES = ['a\nb', 'a\rb', 'a\0b', '\x7f', ' a', 'a ', '\t', '-1', '5x', '99999999999999999999']
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'G T', '', 'get', 'CONNECT', 'X{}']
const PATHS = ['/', '/a', '/a?b', '*', '', 'a', '/a b', '/\n', '/#f', '//', '/\xff']
const SCHEMES = ['http', 'https', 'HTTP', 'ftp', '', '1a', 'a b']
const AUTHORITIES = ['localhost', 'a:80', '', 'a b', 'a/b', '[::1]', 'a\n']

/** One of the list: mostly one of the first two. */
function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(4) === 0 ? random(list.length) : random(Math.min(2, list.length))]
}

/** A conversation of some frames, the same for the same numbers. */
export function randomConversation(seed: number, index: number): Conversation {
  const random = seededNumbers(seed * 1_000_003 + index * 7919 + 1)
  for (let i = 0; i < 3; i++) random(2)
  if (random(5) === 0) return calmConversation(random)
  const frames: Frame[] = []
  let stream = 1
  for (let count = 1 + random(10); count > 0; count--) {
    const made = randomFrames(random, stream)
    frames.push(...made)
    if (made.some(({ type }) => type === 1)) stream += 2
  }
  return frames.map((frame) => (random(60) === 0 ? damaged(random, frame) : frame))
}

/** Up to three requests that are right but for one thing or none: what is wrong is not hidden behind other errors. */
function calmConversation(random: Random): Conversation {
  const frames: Frame[] = []
  let stream = 1
  for (let count = 1 + random(3); count > 0; count--, stream += 2) {
    frames.push(...requestWithBody(random, random(16) === 0 ? stream + 1 : stream))
    if (random(6) === 0) frames.push({ ...frame(8, 0, random(2) === 0 ? 0 : stream, 0), payload: windowOf(random) })
  }
  return frames
}

function randomFrames(random: Random, next: number): Frame[] {
  const stream = random(8) === 0 ? random(9) : random(3) === 0 ? next : Math.max(1, next - 2)
  switch (random(16)) {
    case 0:
      return [frame(6, random(2), random(12) === 0 ? 1 : 0, random(10) === 0 ? random(12) : 8)]
    case 1:
      return [settings(random)]
    case 2:
      return [{ ...frame(8, 0, random(2) === 0 ? 0 : stream, 0), payload: windowOf(random) }]
    case 3:
      return [frame(2, 0, stream, random(8) === 0 ? random(7) : 5)]
    case 4:
      return [{ ...frame(3, 0, stream, 0), payload: Buffer.from([0, 0, 0, 8]).subarray(0, random(8) === 0 ? 3 : 4) }]
    case 5:
    case 6:
    case 7:
      return [data(random, stream)]
    case 8:
      return [frame(random(20) === 0 ? 9 : 99 + random(50), random(256), stream, random(9))]
    case 9:
      return [{ ...frame(1, 5, stream, 0), payload: block(trailers(random)) }]
    case 10:
      return requestWithBody(random, next)
    default:
      return request(random, random(10) === 0 ? stream : next)
  }
}

function frame(type: number, flags: number, stream: number, length: number): Frame {
  return { type, flags, stream, payload: Buffer.alloc(length, 1) }
}

function settings(random: Random): Frame {
  if (random(8) === 0) return frame(4, 1, 0, random(4) === 0 ? 6 : 0)
  const pairs: Buffer[] = []
  for (let count = random(4); count > 0; count--) {
    const pair = Buffer.alloc(6)
    pair.writeUInt16BE(random(8), 0)
    pair.writeUInt32BE([0, 1, 100, 4096, 16_384, 65_535, 0x7fff_ffff, 0x8000_0000][random(8)], 2)
    pairs.push(pair)
  }
  const payload = Buffer.concat(pairs)
  return {
    type: 4,
    flags: 0,
    stream: random(20) === 0 ? 1 : 0,
    payload: random(20) === 0 ? Buffer.concat([payload, Buffer.from([0])]) : payload,
  }
}

function windowOf(random: Random): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE([1, 100, 65_535, 0, 0x7fff_ffff, 0x8000_0001][pick(random, [0, 1, 2, 3, 4, 5])])
  return bytes
}

function data(random: Random, stream: number): Frame {
  const flags = random(2) | (random(6) === 0 ? 8 : 0)
  const payload = Buffer.alloc(random(3) === 0 ? random(9) : 3, 97)
  if ((flags & 8) !== 0 && payload.length > 0) payload[0] = random(4) === 0 ? payload.length : random(6)
  return { type: 0, flags, stream, payload }
}

/** HEADERS, perhaps with CONTINUATION, and perhaps a body. */
function request(random: Random, stream: number): Frame[] {
  const whole = block(requestFields(random))
  const endsStream = random(3) === 0 ? 0 : 1
  const cut = random(8) === 0 ? random(whole.length) : whole.length
  const padding = random(12) === 0
  const priority = random(12) === 0
  const parts = [whole.subarray(0, cut)]
  if (priority) parts.unshift(Buffer.from([0, 0, 0, 0, 15]))
  if (padding) parts.unshift(Buffer.from([2])) && parts.push(Buffer.alloc(2))
  const isCut = cut < whole.length
  const flags = endsStream | (isCut ? 0 : 4) | (padding ? 8 : 0) | (priority ? 32 : 0)
  const frames: Frame[] = [{ type: 1, flags, stream, payload: Buffer.concat(parts) }]
  if (isCut) frames.push({ type: 9, flags: 4, stream, payload: whole.subarray(cut) })
  return frames
}

/** HEADERS, perhaps with a CONTINUATION, and rarely with another frame between them. */
function head(random: Random, stream: number, whole: Buffer): Frame[] {
  if (random(3) > 0) return [{ type: 1, flags: 4, stream, payload: whole }]
  const cut = random(whole.length)
  return [
    { type: 1, flags: 0, stream, payload: whole.subarray(0, cut) },
    ...(random(4) === 0 ? [frame([6, 4, 3, 99][random(4)], 0, 0, 8)] : []),
    { type: 9, flags: 4, stream, payload: whole.subarray(cut) },
  ]
}

/** HEADERS that are right, a body that is about as long as they say, and perhaps trailers, which end the stream or do not. */
function requestWithBody(random: Random, stream: number): Frame[] {
  const length = random(6)
  const fields: Field[] = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', '/'],
    ...(random(4) === 0 ? [] : [['content-length', String(length)] as const]),
  ]
  const sent = random(2) === 0 ? length : random(6)
  const first = random(sent + 1)
  const hasTrailers = random(3) === 0
  const piece = (count: number, flags: number): Frame => {
    const content = Buffer.alloc(count, 97)
    if (random(6) > 0) return { type: 0, flags, stream, payload: content }
    // Padding, rarely of one byte more than there is.
    const padding = random(4)
    const payload = Buffer.concat([Buffer.from([padding]), content, Buffer.alloc(padding)])
    if (random(4) === 0) payload[0] = payload.length
    return { type: 0, flags: flags | 8, stream, payload }
  }
  return [
    ...head(random, stream, block(fields)),
    piece(first, 0),
    piece(sent - first, hasTrailers ? 0 : 1),
    ...(hasTrailers ? [{ type: 1, flags: random(3) === 0 ? 4 : 5, stream, payload: block(trailers(random)) }] : []),
  ]
}

function requestFields(random: Random): Field[] {
  const fields: Field[] = [
    [':method', pick(random, METHODS)],
    [':scheme', pick(random, SCHEMES)],
    [':authority', pick(random, AUTHORITIES)],
    [':path', pick(random, PATHS)],
  ]
  if (random(12) === 0) fields.splice(random(4), 1)
  if (random(20) === 0) fields.push(fields[random(fields.length)])
  fields.push(...others(random))
  if (random(20) === 0) fields.reverse()
  return fields
}

function trailers(random: Random): Field[] {
  return others(random)
}

function others(random: Random): Field[] {
  const fields: Field[] = []
  for (let count = random(4); count > 0; count--) {
    const name = random(12) === 0 ? BAD_NAMES[random(BAD_NAMES.length)] : NAMES[random(NAMES.length)]
    const value = random(12) === 0 ? BAD_VALUES[random(BAD_VALUES.length)] : VALUES[random(VALUES.length)]
    fields.push([name, value])
  }
  return fields
}

/** Every field as a literal that no table keeps. */
function block(fields: readonly Field[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')])
  return Buffer.concat(fields.map(([name, value]) => Buffer.concat([Buffer.from([0]), text(name), text(value)])))
}

/** One byte of the payload, the flags, the stream or the type is another one. */
function damaged(random: Random, { type, flags, stream, payload }: Frame): Frame {
  switch (random(4)) {
    case 0:
      return { type, flags: random(256), stream, payload }
    case 1:
      return { type, flags, stream: random(12), payload }
    case 2:
      return { type: random(11) === 7 ? 0 : random(7), flags, stream, payload }
    default: {
      const bytes = Buffer.from(payload)
      if (bytes.length > 0) bytes[random(bytes.length)] = random(256)
      return { type, flags, stream, payload: bytes }
    }
  }
}
