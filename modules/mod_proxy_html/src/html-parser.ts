import { commentEnd, doctypeEnd, instructionEnd } from './declaration.ts'
import { OpenElements } from './open-elements.ts'
import { readReference } from './reference.ts'
import { type Attribute, blanksEnd, isBlank, readEndTag, readStartTag } from './tag.ts'

/** Receives what a document consists of. All texts are bytes in UTF-8. */
export interface HtmlHandler {
  startElement(name: string, attributes: readonly Attribute[]): void
  endElement(name: string): void
  /** Text without references. */
  text(text: string): void
  /** A part of a script or a style sheet, as written. */
  script(text: string): void
  comment(text: string): void
}

/** A tag, a comment or another item is too long to be kept in memory. */
export class ItemTooLong extends Error {
  override readonly name = 'ItemTooLong'
}

/**
 * Reads HTML that arrives in pieces of any size, as libxml2's parser of HTML 4 reads it: elements without tags are added,
 * elements that nothing ended are ended, and what follows the end of the document is mostly ignored.
 */
export class HtmlParser {
  readonly #handler: HtmlHandler
  readonly #elements: OpenElements
  readonly #limit: number
  #text = ''
  #at = 0
  #ended = false
  #state: 'start' | 'prolog' | 'content' | 'epilog' | 'ignored' = 'start'
  /** Whether the last item was text. */
  #inText = false
  /** Length of the text that was not enough. */
  #tried = 0

  /** @param limit the longest tag or comment, in bytes */
  constructor(handler: HtmlHandler, limit: number) {
    this.#handler = handler
    this.#elements = new OpenElements(handler)
    this.#limit = limit
  }

  /** @throws ItemTooLong */
  push(piece: string): void {
    if (this.#state === 'ignored') return
    this.#text = this.#at === 0 ? this.#text + piece : this.#text.slice(this.#at) + piece
    this.#at = 0
    // A long item is not searched again from its beginning for every piece.
    if (this.#tried > SHORT && this.#text.length < 2 * this.#tried) return
    this.#read()
    const rest = this.#text.length - this.#at
    if (rest > this.#limit) throw new ItemTooLong()
    this.#tried = rest
  }

  /** The end of the document: all elements end. */
  end(): void {
    this.#ended = true
    this.#read()
    if (this.#state !== 'ignored' && !this.#endsInSign()) this.#elements.endAll()
  }

  #read(): void {
    while (this.#at < this.#text.length && this.#state !== 'ignored' && !this.#endsInSign() && this.#step());
  }

  /** libxml2 stops, and ends no element, at a document that ends where a tag or a reference begins. */
  #endsInSign(): boolean {
    const length = this.#text.length - this.#at
    if (!this.#ended || this.#state !== 'content' || length > 3) return false
    const rest = this.#text.slice(this.#at)
    return rest === '<' || (length > 1 && rest.startsWith('<!')) || (rest === '&' && !this.#inText)
  }

  /** Reads one item. @returns false if more of the text is needed */
  #step(): boolean {
    switch (this.#state) {
      case 'start':
      case 'prolog':
        return this.#beforeContent()
      case 'epilog':
        return this.#afterContent()
      default:
        return this.#content()
    }
  }

  #beforeContent(): boolean {
    this.#at = blanksEnd(this.#text, this.#at)
    if (this.#at >= this.#text.length) return true
    const kind = this.#kindOfItem()
    if (kind === 'unknown') return false
    if (kind === 'comment') return this.#comment()
    if (kind === 'instruction') return this.#instruction()
    if (kind === 'doctype' && this.#state === 'start') {
      const read = this.#doctype()
      if (read) this.#state = 'prolog'
      return read
    }
    this.#state = 'content'
    return true
  }

  #afterContent(): boolean {
    const kind = this.#kindOfItem()
    if (isBlank(this.#text[this.#at]) || (this.#inText && kind === 'characters')) {
      const read = this.#characters()
      this.#inText = read && this.#at >= this.#text.length
      return read
    }
    this.#inText = false
    if (kind === 'unknown') return false
    if (kind === 'comment') return this.#comment()
    if (kind === 'instruction') return this.#instruction()
    this.#state = 'ignored'
    return true
  }

  #content(): boolean {
    if (this.#elements.name === 'script' || this.#elements.name === 'style') return this.#script(this.#elements.name)
    const kind = this.#kindOfItem()
    const read = this.#item(kind)
    if (read) this.#inText = kind === 'characters' || kind === 'reference'
    return read
  }

  #item(kind: ItemKind | 'unknown'): boolean {
    switch (kind) {
      case 'unknown':
        return false
      case 'comment':
        return this.#comment()
      case 'doctype':
        return this.#doctype()
      case 'instruction':
        return this.#instruction()
      case 'end tag':
        return this.#endTag()
      case 'start tag':
        return this.#startTag()
      case 'sign':
        this.#handler.text('<')
        this.#at++
        return true
      case 'reference':
        return this.#reference()
      default:
        return this.#characters()
    }
  }

  #kindOfItem(): ItemKind | 'unknown' {
    const text = this.#text
    const at = this.#at
    if (text[at] === '&') return 'reference'
    if (text[at] !== '<') return 'characters'
    const next = text[at + 1]
    if (next === undefined) return 'unknown'
    if (next === '/') return 'end tag'
    if (next === '?') return 'instruction'
    if (next !== '!') return /[A-Za-z]/.test(next) ? 'start tag' : 'sign'
    const head = text.slice(at + 2, at + 9)
    if (head.startsWith('--')) return 'comment'
    if (head.toUpperCase() === 'DOCTYPE') return 'doctype'
    if (this.#ended) return 'sign'
    const mayFollow = head === '' || head === '-' || (head.length < 7 && 'DOCTYPE'.startsWith(head.toUpperCase()))
    return mayFollow ? 'unknown' : 'sign'
  }

  #comment(): boolean {
    const found = commentEnd(this.#text, this.#at + 4)
    if (found === null) return this.#dropRestAtEnd()
    this.#handler.comment(this.#text.slice(this.#at + 4, found.end))
    this.#at = found.next
    return true
  }

  #doctype(): boolean {
    return this.#skipTo(doctypeEnd(this.#text, this.#at))
  }

  #instruction(): boolean {
    return this.#skipTo(instructionEnd(this.#text, this.#at))
  }

  #skipTo(end: number | null): boolean {
    if (end === null) return this.#dropRestAtEnd()
    this.#at = end
    return true
  }

  /** An item that the document ends in is dropped. */
  #dropRestAtEnd(): boolean {
    if (this.#ended) this.#at = this.#text.length
    return this.#ended
  }

  #startTag(): boolean {
    const tag = readStartTag(this.#text, this.#at, this.#ended)
    if (tag === null) return false
    this.#at = tag.next
    this.#elements.start(tag)
    return true
  }

  #endTag(): boolean {
    const tag = readEndTag(this.#text, this.#at, this.#ended)
    if (tag === null) return false
    this.#at = tag.next
    if (tag.name !== '') this.#elements.end(tag.name)
    this.#state = this.#elements.name === null ? 'epilog' : 'content'
    return true
  }

  #reference(): boolean {
    const reference = readReference(this.#text, this.#at, this.#ended)
    if (reference === null) return false
    this.#at = reference.next
    if (reference.text !== '') {
      this.#elements.beforeText()
      this.#handler.text(reference.text)
    }
    return true
  }

  /** Text to the next tag or reference. White space between elements outside of the body is dropped. */
  #characters(): boolean {
    TEXT.lastIndex = this.#at
    const end = this.#at + (TEXT.exec(this.#text)?.[0].length ?? 0)
    const isWhite = blanksEnd(this.#text, this.#at) >= end
    const atEnd = end >= this.#text.length
    if (isWhite && atEnd && !this.#ended && end - this.#at < LONGEST_WHITE) return false
    if (!isWhite || !this.#dropsWhite(end)) {
      this.#elements.beforeText()
      this.#handler.text(this.#text.slice(this.#at, end))
    }
    this.#at = end
    return true
  }

  #dropsWhite(end: number): boolean {
    const next = this.#text[end]
    if (next === undefined) return this.#ended
    const { name } = this.#elements
    return next === '<' && (name === null || name === 'html' || name === 'head')
  }

  /** The content of a script or style element, to the tag that ends it. */
  #script(name: string): boolean {
    const end = scriptEnd(this.#text, this.#at, name)
    if (end === this.#at) return this.#endTag()
    const safe = end ?? (this.#ended ? this.#text.length : this.#text.length - name.length - 1)
    if (safe <= this.#at) return false
    this.#handler.script(this.#text.slice(this.#at, safe))
    this.#at = safe
    return true
  }
}

type ItemKind = 'comment' | 'doctype' | 'instruction' | 'end tag' | 'start tag' | 'sign' | 'reference' | 'characters'

const TEXT = /[^<&]*/y

/** Up to this length in bytes, an item that has not ended is tried again with every piece. */
const SHORT = 4096

/** White space longer than this is text wherever it is. */
const LONGEST_WHITE = 1000

function scriptEnd(text: string, index: number, name: string): number | null {
  for (let at = text.indexOf('</', index); at >= 0; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  }
  return null
}
