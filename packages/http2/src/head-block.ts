import type { ByteWriter } from './byte-writer.ts'
import { FLAG, FRAME, FRAME_SIZE } from './frames.ts'
import type { HpackEncoder } from './hpack/encoder.ts'

/** Fields of HTTP/1.1 that are never sent (RFC 9113 section 8.2.2). */
const NEVER: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** Names in lower case by their spelling; a server sends few of them. */
const lowered = new Map<string, string>()
const LOWERED_MAX = 500

/** Calls `take` with the name in lower case and the value of each field that may be sent, given as lines. */
export function eachField(lines: string, take: (name: string, value: string) => void): void {
  for (let start = 0; start < lines.length; ) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf('\r\n', colon)
    const name = lowerName(lines.slice(start, colon))
    if (!NEVER.has(name)) take(name, trimmed(lines, colon + 1, end))
    start = end + 2
  }
}

/** Encodes status and fields, given as lines, of a response. */
export function writeHeadBlock(into: ByteWriter, encoder: HpackEncoder, status: number, ...parts: readonly string[]): void {
  encoder.begin(into)
  encoder.field(into, ':status', String(status))
  for (const lines of parts) eachField(lines, (name, value) => encoder.field(into, name, value))
}

/** Encodes the fields of a trailer section, given as lines. */
export function writeTrailerBlock(into: ByteWriter, encoder: HpackEncoder, lines: string): void {
  encoder.begin(into)
  eachField(lines, (name, value) => encoder.field(into, name, value))
}

/**
 * Writes the frames of a complete header block: HEADERS, and CONTINUATION for what does not fit.
 * @param flags of the HEADERS frame, except for the one that ends the block
 * @param padding with the byte that counts it; blocks of several frames get none
 * @returns the bytes of the frames without their heads
 */
export function writeBlock(into: ByteWriter, stream: number, block: Buffer, flags: number, padding = 0): number {
  if (padding > 0 && block.length + padding <= FRAME_SIZE) {
    into.frame(block.length + padding, FRAME.headers, flags | FLAG.endHeaders | FLAG.padded, stream)
    into.byte(padding - 1)
    into.chunk(block)
    into.chunk(ZEROS, 0, padding - 1)
    return block.length + padding
  }
  const first = Math.min(block.length, FRAME_SIZE)
  const isWhole = first === block.length
  into.frame(first, FRAME.headers, flags | (isWhole ? FLAG.endHeaders : 0), stream)
  into.chunk(block, 0, first)
  for (let at = first; at < block.length; ) {
    const end = Math.min(block.length, at + FRAME_SIZE)
    into.frame(end - at, FRAME.continuation, end === block.length ? FLAG.endHeaders : 0, stream)
    into.chunk(block, at, end)
    at = end
  }
  return block.length
}

/** What padding consists of. */
export const ZEROS: Buffer = Buffer.alloc(256)

/** Bytes of padding for one frame, with the byte that counts them; 0 for none. @param bits H2Padding */
export function paddingOf(bits: number): number {
  return bits === 0 ? 0 : Math.floor(Math.random() * 2 ** Math.min(bits, 8))
}

const BLANK = 32
const TAB = 9

/** The text without white space around it: clients take a value with it for malformed (RFC 9113 section 8.2.1). */
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB
}

function lowerName(name: string): string {
  const known = lowered.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (lowered.size < LOWERED_MAX) lowered.set(name, lower)
  return lower
}
