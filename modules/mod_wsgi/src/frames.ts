/**
 * What is sent between the server and a process that runs applications. A request is its variables (the length of all of them
 * in 4 bytes, then names and values, each with its length in 4 bytes), then the parts of the body, each with its length in 4
 * bytes; an empty part ends it, and the length `BROKEN` says that the client did not send all of it. The response is frames
 * of a letter, a length in 4 bytes, and bytes.
 */

/** In the place of the length of a part: the body breaks off. */
const BROKEN = 0xffff_ffff
const FRAME_HEAD = 5
/** The longest frame that is collected: a head of a response or a line for the log. Data are passed on as they arrive. */
const LONGEST = 1024 * 1024

/** The variables of a request; all text is latin1. */
export function encodeVariables(variables: Iterable<readonly [name: string, value: string]>): Buffer {
  const parts: string[] = []
  for (const pair of variables) for (const text of pair) parts.push(text)
  const size = parts.reduce((sum, text) => sum + 4 + text.length, 0)
  const bytes = Buffer.allocUnsafe(4 + size)
  let at = bytes.writeUInt32BE(size, 0)
  for (const text of parts) {
    at = bytes.writeUInt32BE(text.length, at)
    at += bytes.write(text, at, 'latin1')
  }
  return bytes
}

/** A part of the body with its length: a copy, because a filter may use the bytes again before they are sent. */
export function encodePart(part: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + part.length)
  bytes.writeUInt32BE(part.length, 0)
  bytes.set(part, 4)
  return bytes
}

/** @param how `complete`: all of the body was sent; `broken`: it breaks off */
export function encodeBodyEnd(how: 'complete' | 'broken'): Buffer {
  const bytes = Buffer.alloc(4)
  if (how === 'broken') bytes.writeUInt32BE(BROKEN, 0)
  return bytes
}

/**
 * What a process sends: A it has accepted the request, R it is too old and another one will serve it, T it was waited for too
 * long, H the head of the response, D data, L a line for the log, E the response is complete, X the application has failed.
 */
export interface FrameSink {
  accepted(): void
  outdated(): void
  waitedTooLong(): void
  head(status: string, fields: readonly (readonly [name: string, value: string])[]): void
  /** Valid only during the call. */
  data(bytes: Buffer): void
  line(level: string, text: string): void
  complete(): void
  failed(): void
  /** What arrives is none of this, or a frame is too long. */
  malformed(): void
}

/** Reads the frames of a response, in whatever parts they arrive. */
export class FrameReader {
  readonly #sink: FrameSink
  #head = Buffer.alloc(0)
  #kind = ''
  #left = 0
  #collected: Buffer[] = []
  #isOver = false

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  read(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && !this.#isOver) {
      if (this.#kind === '') at = this.#readHead(bytes, at)
      else {
        const part = bytes.subarray(at, at + this.#left)
        at += part.length
        this.#left -= part.length
        if (this.#kind === 'D') this.#sink.data(part)
        else this.#collected.push(Buffer.from(part))
      }
      if (this.#kind !== '' && this.#left === 0) this.#end()
    }
  }

  /** Nothing more is read. */
  stop(): void {
    this.#isOver = true
  }

  #readHead(bytes: Buffer, start: number): number {
    const taken = bytes.subarray(start, start + FRAME_HEAD - this.#head.length)
    this.#head = Buffer.concat([this.#head, taken])
    if (this.#head.length < FRAME_HEAD) return start + taken.length
    this.#kind = String.fromCharCode(this.#head[0])
    this.#left = this.#head.readUInt32BE(1)
    this.#head = Buffer.alloc(0)
    if (!'ARTHDLEX'.includes(this.#kind) || (this.#kind !== 'D' && this.#left > LONGEST)) this.#refuse()
    return start + taken.length
  }

  #refuse(): void {
    this.#isOver = true
    this.#sink.malformed()
  }

  #end(): void {
    const kind = this.#kind
    const content = Buffer.concat(this.#collected)
    this.#kind = ''
    this.#collected = []
    if (kind === 'A') this.#sink.accepted()
    else if (kind === 'R') this.#sink.outdated()
    else if (kind === 'T') this.#sink.waitedTooLong()
    else if (kind === 'E') this.#sink.complete()
    else if (kind === 'X') this.#sink.failed()
    else if (kind === 'L') {
      const text = content.toString('latin1')
      const line = text.indexOf('\n')
      this.#sink.line(text.slice(0, line), text.slice(line + 1))
    } else if (kind === 'H') this.#readResponseHead(content)
  }

  #readResponseHead(content: Buffer): void {
    const words: string[] = []
    for (let at = 0; at < content.length; ) {
      const end = at + 4 <= content.length ? at + 4 + content.readUInt32BE(at) : Number.POSITIVE_INFINITY
      if (end > content.length) return this.#refuse()
      words.push(content.toString('latin1', at + 4, end))
      at = end
    }
    const [status = '', ...rest] = words
    const fields: [string, string][] = []
    for (let index = 0; index + 1 < rest.length; index += 2) fields.push([rest[index], rest[index + 1]])
    this.#sink.head(status, fields)
  }
}
