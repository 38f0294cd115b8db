/** Types of records (FastCGI 1.0, section 8). */
export const RECORD = {
  beginRequest: 1,
  abortRequest: 2,
  endRequest: 3,
  params: 4,
  stdin: 5,
  stdout: 6,
  stderr: 7,
  getValues: 9,
  getValuesResult: 10,
  unknownType: 11,
} as const

/** Bytes before the content of a record. */
export const HEADER_SIZE = 8
/** The longest content, a multiple of 8 so that no padding is needed. */
export const CONTENT_MAX = 65_528
const VERSION = 1

/** Writes the header of a record without padding. */
export function writeHeader(into: Buffer, at: number, type: number, id: number, length: number): void {
  into[at] = VERSION
  into[at + 1] = type
  into.writeUInt16BE(id, at + 2)
  into.writeUInt16BE(length, at + 4)
  into[at + 6] = 0
  into[at + 7] = 0
}

/** A text of any length in as many records as it needs; without any, no record. Both texts have a character for each byte. */
export function recordsText(type: number, id: number, content: string): string {
  let text = ''
  for (let at = 0; at < content.length; at += CONTENT_MAX) text += recordText(type, id, content.slice(at, at + CONTENT_MAX))
  return text
}

/** One record; the texts have a character for each byte. */
export function recordText(type: number, id: number, content: string): string {
  const { length } = content
  return String.fromCharCode(VERSION, type, id >> 8, id & 255, length >> 8, length & 255, 0, 0) + content
}

/** Receives the records of a connection. The bytes are valid only during the call. */
export interface RecordSink {
  /** A part of the content of a record; the parts of a record come in order. */
  content(type: number, id: number, bytes: Buffer, start: number, count: number): void
  /** The record is complete, even if it had no content. */
  end(type: number, id: number): void
}

/** Reads records, in whatever parts they arrive. */
export class RecordReader {
  /** Bytes of the present header that have arrived; `HEADER_SIZE` while the content is read. */
  #headerSize: number
  /** A header that arrived in parts; null before the first one. */
  #header: Buffer | null
  #version: number
  #type: number
  #id: number
  #content: number
  #padding: number
  #stopped: boolean

  constructor() {
    this.#headerSize = 0
    this.#header = null
    this.#version = VERSION
    this.#type = 0
    this.#id = 0
    this.#content = 0
    this.#padding = 0
    this.#stopped = false
  }

  /** Between two records. */
  get idle(): boolean {
    return this.#headerSize === 0
  }

  /** The version that the last header states. */
  get version(): number {
    return this.#version
  }

  /** Nothing more is passed on. */
  stop(): void {
    this.#stopped = true
  }

  /** Reads the first `count` bytes. Returns the number of bytes read: less if it was stopped; -1 if they are no records. */
  read(bytes: Buffer, count: number, sink: RecordSink): number {
    let at = 0
    while (at < count && !this.#stopped) {
      if (this.#headerSize === 0 && count - at >= HEADER_SIZE) {
        this.#headerSize = HEADER_SIZE
        at += HEADER_SIZE
        if (!this.#begin(bytes, at - HEADER_SIZE)) return -1
      } else if (this.#headerSize < HEADER_SIZE) {
        this.#header ??= Buffer.alloc(HEADER_SIZE)
        const taken = Math.min(HEADER_SIZE - this.#headerSize, count - at)
        bytes.copy(this.#header, this.#headerSize, at, at + taken)
        this.#headerSize += taken
        at += taken
        if (this.#headerSize < HEADER_SIZE) return at
        if (!this.#begin(this.#header, 0)) return -1
      }
      if (this.#content > 0 && at < count) {
        const taken = Math.min(this.#content, count - at)
        this.#content -= taken
        at += taken
        sink.content(this.#type, this.#id, bytes, at - taken, taken)
      }
      if (this.#content === 0) at = this.#finish(at, count, sink)
    }
    return at
  }

  /** @returns false for another version */
  #begin(header: Buffer, at: number): boolean {
    this.#version = header[at]
    this.#type = header[at + 1]
    this.#id = header.readUInt16BE(at + 2)
    this.#content = header.readUInt16BE(at + 4)
    this.#padding = header[at + 6]
    return this.#version === VERSION
  }

  #finish(at: number, count: number, sink: RecordSink): number {
    const taken = Math.min(this.#padding, count - at)
    this.#padding -= taken
    if (this.#padding === 0) {
      this.#headerSize = 0
      if (!this.#stopped) sink.end(this.#type, this.#id)
    }
    return at + taken
  }
}
