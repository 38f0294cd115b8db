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

/** A record: its header and its content. */
export function record(type: number, id: number, content: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_SIZE + content.length)
  writeHeader(bytes, 0, type, id, content.length)
  bytes.set(content, HEADER_SIZE)
  return bytes
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
  readonly #header: Buffer
  #type: number
  #id: number
  #content: number
  #padding: number
  #stopped: boolean

  constructor() {
    this.#headerSize = 0
    this.#header = Buffer.alloc(HEADER_SIZE)
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
    return this.#header[0]
  }

  /** Nothing more is passed on. */
  stop(): void {
    this.#stopped = true
  }

  /** Reads the first `count` bytes. Returns the number of bytes read: less if it was stopped; -1 if they are no records. */
  read(bytes: Buffer, count: number, sink: RecordSink): number {
    let at = 0
    while (at < count && !this.#stopped) {
      if (this.#headerSize < HEADER_SIZE) {
        const taken = Math.min(HEADER_SIZE - this.#headerSize, count - at)
        bytes.copy(this.#header, this.#headerSize, at, at + taken)
        this.#headerSize += taken
        at += taken
        if (this.#headerSize < HEADER_SIZE) return at
        if (this.#header[0] !== VERSION) return -1
        this.#begin()
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

  #begin(): void {
    const header = this.#header
    this.#type = header[1]
    this.#id = header.readUInt16BE(2)
    this.#content = header.readUInt16BE(4)
    this.#padding = header[6]
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
