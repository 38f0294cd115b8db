import { htmlElement } from './html-element.ts'
import type { HtmlHandler } from './html-parser.ts'
import { endsOpenElement, rankOfEndTag } from './implied-tags.ts'
import type { StartTag } from './tag.ts'

/** The elements that are open, from the outermost. Adds those whose tags were left out, and ends them. */
export class OpenElements {
  readonly #handler: HtmlHandler
  readonly #open: string[] = []
  #hadHead = false
  #hadBody = false
  /** Start tags of html, head and body that were dropped; as many of their end tags are dropped. */
  #dropped = 0

  constructor(handler: HtmlHandler) {
    this.#handler = handler
  }

  /** The innermost open element; null outside of all. */
  get name(): string | null {
    return this.#open.at(-1) ?? null
  }

  start({ name, attributes, end }: StartTag): void {
    this.#endWhatEndsBefore(name)
    this.#addStructureFor(name)
    if (this.#isMisplaced(name)) {
      this.#dropped++
      // A tag `<body/>` that is dropped ends the element that it is in.
      if (end === 'closed') this.#endInnermost()
      else if (end === 'cut') this.#open.pop()
      return
    }
    this.#push(name)
    this.#handler.startElement(name, attributes)
    if (end === 'cut') this.#open.pop()
    else if (end === 'closed' || htmlElement(name)?.empty === true) this.#endInnermost()
  }

  end(name: string): void {
    if (this.#dropped > 0 && (name === 'html' || name === 'body' || name === 'head')) {
      this.#dropped--
      return
    }
    const index = this.#open.lastIndexOf(name)
    if (index < 0) return
    const rank = rankOfEndTag(name)
    if (this.#open.slice(index + 1).some((open) => rankOfEndTag(open) > rank)) return
    while (this.#open.length > index) this.#endInnermost()
  }

  /** Text outside of the body is in a paragraph. */
  beforeText(): void {
    const { name } = this
    if (name !== null && name !== 'html' && name !== 'head') return
    this.#endWhatEndsBefore('p')
    this.#addStructureFor('p')
    this.#push('p')
    this.#handler.startElement('p', [])
  }

  endAll(): void {
    while (this.#open.length > 0) this.#endInnermost()
  }

  #endWhatEndsBefore(name: string): void {
    for (let open = this.name; open !== null && endsOpenElement(name, open); open = this.name) this.#endInnermost()
  }

  #addStructureFor(name: string): void {
    if (name === 'html') return
    if (this.#open.length === 0) this.#add('html')
    if (name === 'body' || name === 'head') return
    if (this.#open.length <= 1 && IN_HEAD.has(name)) {
      if (!this.#hadHead) this.#add('head')
    } else if (!OUTSIDE_OF_BODY.has(name)) {
      if (!this.#hadBody && !this.#open.includes('body') && !this.#open.includes('head')) this.#add('body')
    }
  }

  #isMisplaced(name: string): boolean {
    if (name === 'html') return this.#open.length > 0
    if (name === 'head') return this.#open.length !== 1
    return name === 'body' && this.#open.includes('body')
  }

  #add(name: string): void {
    this.#push(name)
    this.#handler.startElement(name, [])
  }

  #push(name: string): void {
    if (name === 'head') this.#hadHead = true
    if (name === 'body') {
      this.#hadHead = true
      this.#hadBody = true
    }
    this.#open.push(name)
  }

  #endInnermost(): void {
    const name = this.#open.pop()
    if (name !== undefined) this.#handler.endElement(name)
  }
}

const IN_HEAD: ReadonlySet<string> = new Set(['script', 'style', 'meta', 'link', 'title', 'base'])
const OUTSIDE_OF_BODY: ReadonlySet<string> = new Set(['noframes', 'frame', 'frameset'])
