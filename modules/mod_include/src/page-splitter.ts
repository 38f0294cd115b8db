import { ElementReader, type ElementText } from './element-reader.ts'

/** A part of a page: text to copy, or an element. */
export type PagePart = Uint8Array | ElementText

/** Splits a page that arrives in pieces of any size into its text and its elements. */
export class PageSplitter {
  readonly #startTag: Buffer
  readonly #endTag: string
  /** Bytes that may be the beginning of a start tag. */
  #held: Buffer = Buffer.alloc(0)
  #reader: ElementReader | null = null

  constructor(startTag: string, endTag: string) {
    this.#startTag = Buffer.from(startTag, 'latin1')
    this.#endTag = endTag
  }

  /** Whether an element has begun that has not ended. */
  get isInElement(): boolean {
    return this.#reader !== null
  }

  *push(piece: Uint8Array): Generator<PagePart> {
    let rest = asBuffer(piece)
    while (rest.length > 0) {
      if (this.#reader === null) {
        const bytes: Buffer = this.#held.length === 0 ? rest : Buffer.concat([this.#held, rest])
        const start = bytes.indexOf(this.#startTag)
        if (start < 0) {
          const kept = this.#tagAtEnd(bytes)
          this.#held = bytes.subarray(bytes.length - kept)
          if (kept < bytes.length) yield bytes.subarray(0, bytes.length - kept)
          return
        }
        this.#held = Buffer.alloc(0)
        this.#reader = new ElementReader(this.#endTag)
        if (start > 0) yield bytes.subarray(0, start)
        rest = bytes.subarray(start + this.#startTag.length)
      }
      rest = rest.subarray(this.#reader.push(rest.toString('latin1', 0, Math.min(rest.length, STEP))))
      if (!this.#reader.isDone) continue
      const { element } = this.#reader
      this.#reader = null
      yield element
    }
  }

  /** The text that was held back at the end of the page. */
  get rest(): Uint8Array {
    return this.#held
  }

  /** How many bytes at the end may begin a start tag. */
  #tagAtEnd(bytes: Buffer): number {
    for (let length = Math.min(this.#startTag.length - 1, bytes.length); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#startTag.subarray(0, length))) return length
    }
    return 0
  }
}

/** Bytes that are turned into text at once while an element is read. */
const STEP = 4096

/** Whether a page has at least the beginning of an element. */
export function hasElements(page: Uint8Array, startTag: string): boolean {
  return asBuffer(page).includes(startTag, 0, 'latin1')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
