import { type Encoder, encodeLeniently, type Rewriter } from '@gatewright/filters'
import { HtmlParser } from './html-parser.ts'
import type { HtmlWriter } from './html-writer.ts'
import type { MetaFields } from './meta-fields.ts'

/** How a document is rewritten. */
export interface RewriterOptions {
  readonly writer: HtmlWriter
  /** The longest tag, comment or script, in bytes. */
  readonly limit: number
  /** Sent before the document. */
  readonly doctype: string
  /** Makes fields of the header from the first piece; null if that is not wanted. */
  readonly readMeta: ((head: string) => MetaFields) | null
  /** Encodes the text, which is UTF-8 if there is no encoder. */
  readonly encode: Encoder | null
  /** Called once if the charset does not have a character of the text. */
  readonly reportOmitted: () => void
}

/** Rewrites a document in UTF-8, piece by piece. */
export class HtmlRewriter implements Rewriter {
  readonly #options: RewriterOptions
  readonly #parser: HtmlParser
  readonly #decoder = new TextDecoder('utf-8')
  #isFirst = true
  #reported = false

  constructor(options: RewriterOptions) {
    this.#options = options
    this.#parser = new HtmlParser(options.writer, options.limit)
  }

  /** @throws ItemTooLong */
  *push(piece: Uint8Array): Generator<Uint8Array> {
    let text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    if (text.includes('\0')) text = text.replaceAll('\0', '')
    let before = ''
    if (this.#isFirst) {
      this.#isFirst = false
      before = this.#options.doctype
      text = this.#options.readMeta?.(text).rest ?? text
    }
    this.#parser.push(text)
    yield this.#encoded(before + this.#options.writer.take())
  }

  /** @throws ItemTooLong */
  *end(): Generator<Uint8Array> {
    this.#parser.end()
    yield this.#encoded(this.#options.writer.take())
    if (this.#options.encode !== null) yield this.#translated(this.#decoder.decode())
  }

  #encoded(text: string): Buffer {
    const bytes = Buffer.from(text, 'latin1')
    return this.#options.encode === null ? bytes : this.#translated(this.#decoder.decode(bytes, { stream: true }))
  }

  #translated(text: string): Buffer {
    const { encode, reportOmitted } = this.#options
    if (encode === null) return Buffer.from(text, 'utf8')
    const { bytes, omitted } = encodeLeniently(text, encode)
    if (omitted && !this.#reported) {
      this.#reported = true
      reportOmitted()
    }
    return bytes
  }
}
