import type { XmlAttribute, XmlElement } from './xml-element.ts'

/** A document is not well-formed, or too large. The message is that of the parser of httpd. */
export class XmlError extends Error {}

/** Elements in elements: more is no document of a client. */
const MAX_DEPTH = 100

/** Elements and attributes of one document. */
const MAX_NODES = 20_000

/** Elements and attributes that an error of httpd's parser names. */
const expat = (reason: string, code: number): XmlError => new XmlError(`XML parser error code: ${reason} (${code})`)

/**
 * Parses a document of a client. Declarations of document types are refused, so no entity can grow.
 * @param text one character per byte
 * @throws XmlError
 */
export function parseXml(text: string): XmlElement {
  return new XmlReader(text).document()
}

interface Open {
  readonly tag: string
  readonly scope: ReadonlyMap<string, string>
  readonly children: (XmlElement | string)[]
  readonly element: XmlElement
}

const NAME = /[A-Za-z_\x80-\xff][\w.\-\x80-\xff]*(?::[A-Za-z_\x80-\xff][\w.\-\x80-\xff]*)?/y

class XmlReader {
  readonly #text: string
  #at = 0
  #nodes = 0
  readonly #open: Open[] = []

  constructor(text: string) {
    this.#text = text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
  }

  document(): XmlElement {
    let root: XmlElement | null = null
    for (;;) {
      const next = this.#text.indexOf('<', this.#at)
      const plain = this.#text.slice(this.#at, next < 0 ? undefined : next)
      const parent = this.#open.at(-1)
      if (parent !== undefined) parent.children.push(...(plain === '' ? [] : [this.#unescape(plain)]))
      else if (/[^ \t\r\n]/.test(plain)) throw root === null ? expat('syntax error', 2) : expat('junk after document element', 9)
      if (next < 0) break
      this.#at = next
      if (this.#text.startsWith('<?', next)) this.#skipTo('?>')
      else if (this.#text.startsWith('<!--', next)) this.#skipTo('-->')
      else if (this.#text.startsWith('<![CDATA[', next)) {
        if (parent === undefined) throw expat('not well-formed (invalid token)', 4)
        const from = next + 9
        this.#skipTo(']]>')
        parent.children.push(this.#text.slice(from, this.#at - 3))
      } else if (this.#text.startsWith('<!', next)) throw expat('parsing aborted', 35)
      else if (this.#text.startsWith('</', next)) this.#end()
      else {
        if (parent === undefined && root !== null) throw expat('junk after document element', 9)
        const element = this.#begin(parent)
        root ??= element
      }
    }
    if (root === null || this.#open.length > 0) throw expat('no element found', 3)
    return root
  }

  #begin(parent: Open | undefined): XmlElement {
    this.#at++
    const tag = this.#name()
    const raw: [name: string, value: string][] = []
    const scope = new Map(parent?.scope ?? [['xml', 'http://www.w3.org/XML/1998/namespace']])
    for (;;) {
      const blank = this.#skipBlanks()
      const char = this.#text[this.#at]
      if (char === undefined) throw expat('unclosed token', 5)
      if (char === '>' || char === '/') break
      if (!blank) throw expat('not well-formed (invalid token)', 4)
      const name = this.#name()
      this.#skipBlanks()
      if (this.#text[this.#at] !== '=') throw expat('not well-formed (invalid token)', 4)
      this.#at++
      this.#skipBlanks()
      const quote = this.#text[this.#at]
      const end = quote === '"' || quote === "'" ? this.#text.indexOf(quote, this.#at + 1) : -1
      if (end < 0) throw expat('not well-formed (invalid token)', 4)
      const value = this.#text.slice(this.#at + 1, end)
      if (value.includes('<')) throw expat('not well-formed (invalid token)', 4)
      this.#at = end + 1
      if (raw.some(([other]) => other === name)) throw expat('duplicate attribute', 8)
      raw.push([name, this.#unescape(value)])
      this.#count()
    }
    const attributes: [name: string, value: string][] = []
    for (const [name, value] of raw) {
      if (name === 'xmlns') scope.set('', value)
      else if (name.startsWith('xmlns:')) {
        if (value === '') throw new XmlError('A namespace prefix was defined with an empty URI.')
        scope.set(name.slice(6), value)
      } else attributes.push([name, value])
    }
    const [prefix, local] = split(tag)
    const children: (XmlElement | string)[] = []
    const element: XmlElement = {
      namespace: this.#namespace(scope, prefix),
      name: local,
      attributes: attributes.map(([name, value]): XmlAttribute => {
        const [attributePrefix, attributeName] = split(name)
        const namespace = attributePrefix === '' ? '' : this.#namespace(scope, attributePrefix)
        return { namespace, prefix: attributePrefix, name: attributeName, value }
      }),
      children,
    }
    this.#count()
    parent?.children.push(element)
    if (this.#text[this.#at] === '/') {
      if (this.#text[this.#at + 1] !== '>') throw expat('not well-formed (invalid token)', 4)
      this.#at += 2
      return element
    }
    this.#at++
    this.#open.push({ tag, scope, children, element })
    if (this.#open.length > MAX_DEPTH) throw new XmlError('the document has too many elements in each other')
    return element
  }

  #end(): void {
    this.#at += 2
    const tag = this.#name()
    this.#skipBlanks()
    if (this.#text[this.#at] !== '>') throw expat('not well-formed (invalid token)', 4)
    this.#at++
    if (this.#open.pop()?.tag !== tag) throw expat('mismatched tag', 7)
  }

  #namespace(scope: ReadonlyMap<string, string>, prefix: string): string {
    const namespace = scope.get(prefix)
    if (namespace === undefined && prefix !== '') throw new XmlError('An undefined namespace prefix was used.')
    return namespace ?? ''
  }

  #name(): string {
    NAME.lastIndex = this.#at
    const found = NAME.exec(this.#text)
    if (found === null) throw expat('not well-formed (invalid token)', 4)
    this.#at = NAME.lastIndex
    return found[0]
  }

  #skipBlanks(): boolean {
    const from = this.#at
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '?')) this.#at++
    return this.#at > from
  }

  #skipTo(end: string): void {
    const at = this.#text.indexOf(end, this.#at)
    if (at < 0) throw expat('unclosed token', 5)
    this.#at = at + end.length
  }

  #count(): void {
    if (++this.#nodes > MAX_NODES) throw new XmlError('the document has too many elements')
  }

  #unescape(text: string): string {
    if (!text.includes('&')) return text
    return text.replace(/&([^;&]{0,20};?)/g, (_, entity: string) => {
      const numeric = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(entity)
      if (numeric !== null) {
        const code = numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16)
        if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
          throw expat('reference to invalid character number', 14)
        }
        return Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1')
      }
      const known = ENTITIES[entity]
      if (known === undefined)
        throw entity.endsWith(';') ? expat('undefined entity', 11) : expat('not well-formed (invalid token)', 4)
      return known
    })
  }
}

const ENTITIES: Readonly<Record<string, string>> = { 'amp;': '&', 'lt;': '<', 'gt;': '>', 'quot;': '"', 'apos;': "'" }

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}
