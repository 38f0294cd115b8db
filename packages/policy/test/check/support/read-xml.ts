/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its character data, without that of its children. */
  readonly text: string
}

/** Reads the part of XML that reports use, and rejects everything that is not well-formed. @throws Error */
export function readXml(document: string): XmlElement {
  const reader = new Reader(document)
  reader.take(/<\?xml version="1\.0" encoding="UTF-8"\?>\s*/y)
  const root = reader.element()
  reader.take(/\s*/y)
  reader.end()
  return root
}

class Reader {
  readonly #document: string
  #at = 0

  constructor(document: string) {
    // Characters that XML 1.0 cannot contain (its production 2).
    if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(document))
      throw new Error('a character that XML cannot have')
    this.#document = document
  }

  element(): XmlElement {
    const [, name] = this.take(/<([A-Za-z][\w.-]*)/y)
    const attributes: Record<string, string> = {}
    for (
      let found = this.#find(/\s+([A-Za-z][\w.-]*)="([^"<]*)"/y);
      found !== null;
      found = this.#find(/\s+([A-Za-z][\w.-]*)="([^"<]*)"/y)
    ) {
      if (Object.hasOwn(attributes, found[1])) throw new Error(`${found[1]} twice`)
      attributes[found[1]] = resolved(found[2])
    }
    if (this.#find(/\s*\/>/y) !== null) return { name, attributes, children: [], text: '' }
    this.take(/\s*>/y)
    const children: XmlElement[] = []
    let text = ''
    while (this.#find(new RegExp(`</${name}\\s*>`, 'y')) === null) {
      const data = this.#find(/[^<]+/y)
      if (data === null) children.push(this.element())
      else text += resolved(data[0])
    }
    return { name, attributes, children, text }
  }

  take(pattern: RegExp): RegExpExecArray {
    const found = this.#find(pattern)
    if (found === null) throw new Error(`${pattern.source} expected at: ${this.#document.slice(this.#at, this.#at + 60)}`)
    return found
  }

  end(): void {
    if (this.#at < this.#document.length) throw new Error(`behind the document: ${this.#document.slice(this.#at, this.#at + 60)}`)
  }

  #find(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#document)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }
}

function resolved(text: string): string {
  return text.replace(/&(?:#(\d+);)?/g, (_, code: string | undefined) => {
    if (code === undefined) throw new Error('an & that begins no reference')
    return String.fromCodePoint(Number(code))
  })
}
