/**
 * Header fields in the order received, text as latin1. Fields with the same name are merged into the first
 * one, joined by `, ` (RFC 9110 section 5.3), as in httpd. Names keep their spelling and match in any case.
 */
export class HeaderFields implements Iterable<[name: string, value: string]> {
  /** The bytes of the whole section; fields are extracted on demand. */
  #text: string
  /** Four offsets into the text per field: name, its end, value, its end. */
  #spans: number[]
  /** Values that differ from the text (folded or merged), by field; null if there are none. */
  #values: (string | undefined)[] | null
  /** After the first modification: names and values in turn, and the text is no longer used. */
  #written: string[] | null
  #length: number
  /**
   * One bit for each kind of name (length and initial) that occurs, or has occurred: a name of another kind is compared with
   * no other one.
   */
  #kinds: number

  constructor() {
    this.#text = ''
    this.#spans = []
    this.#values = null
    this.#written = null
    this.#length = 0
    this.#kinds = 0
  }

  /** Fields from names and values in turn; those with the same name are merged. The list belongs to the new object. */
  static of(list: string[]): HeaderFields {
    const fields = new HeaderFields()
    if (fields.#adopt(list)) fields.merge(Number.POSITIVE_INFINITY)
    return fields
  }

  /** Fields from names and values in turn; those with the same name stay apart. The list belongs to the new object. */
  static apart(list: string[]): HeaderFields {
    const fields = new HeaderFields()
    fields.#adopt(list)
    return fields
  }

  get length(): number {
    return this.#length
  }

  /** The same fields; a modification of either does not affect the other. Only for a section that was read. */
  copy(): HeaderFields {
    const copy = new HeaderFields()
    copy.#text = this.#text
    copy.#spans = this.#spans
    copy.#values = this.#values
    copy.#written = this.#written === null ? null : [...this.#written]
    copy.#length = this.#length
    copy.#kinds = this.#kinds
    return copy
  }

  /** The value of the field with this name, in any case. */
  get(name: string): string | undefined {
    const index = this.#indexOf(name)
    return index < 0 ? undefined : this.value(index)
  }

  has(name: string): boolean {
    return this.#indexOf(name) >= 0
  }

  name(index: number): string {
    if (this.#written !== null) return this.#written[2 * index]
    return this.#text.slice(this.#spans[4 * index], this.#spans[4 * index + 1])
  }

  /** Whether a field has this name, in any case; `name` is in lower case. */
  isNamed(index: number, name: string): boolean {
    if (this.#written === null && this.#spans[4 * index + 1] - this.#spans[4 * index] !== name.length) return false
    return this.name(index).toLowerCase() === name
  }

  value(index: number): string {
    if (this.#written !== null) return this.#written[2 * index + 1]
    const replaced = this.#values?.[index]
    return replaced ?? this.#text.slice(this.#spans[4 * index + 2], this.#spans[4 * index + 3])
  }

  /** Replaces the value of the field with this name (in any case) at its position, or appends the field. */
  set(name: string, value: string): void {
    const fields = this.#write()
    const index = this.#indexOf(name)
    if (index >= 0) {
      fields[2 * index + 1] = value
      return
    }
    fields.push(name, value)
    this.#kinds |= kindOf(name.length, name.charCodeAt(0))
    this.#length++
  }

  delete(name: string): void {
    const index = this.#indexOf(name)
    if (index < 0) return
    this.#write().splice(2 * index, 2)
    this.#length--
  }

  *[Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    for (let i = 0; i < this.#length; i++) yield [this.name(i), this.value(i)]
  }

  /**
   * For the reader of a section: the offsets of another field, relative to `base` in `bytes`. Returns whether
   * a field with this name already exists, so that the section has to be merged.
   */
  addSpan(bytes: Uint8Array, base: number, name: number, nameEnd: number, value: number, valueEnd: number): boolean {
    const kind = kindOf(nameEnd - name, bytes[base + name])
    const repeated = (this.#kinds & kind) !== 0 && this.#isRepeated(bytes, base, name, nameEnd)
    this.#kinds |= kind
    this.#spans.push(name, nameEnd, value, valueEnd)
    this.#length++
    return repeated
  }

  /** For the reader of a section: the value of the last field is this text, not the text at its offsets. */
  replaceLastValue(value: string): void {
    this.#values ??= []
    this.#values[this.#length - 1] = value
  }

  /** For the reader of a section: the text that all offsets refer to. */
  seal(text: string): void {
    this.#text = text
  }

  /**
   * For the reader of a section: merges repeated fields. Returns the name of the first field whose merged
   * value is longer than `limit` bytes, or ''.
   */
  merge(limit: number): string {
    const fields = this.#write()
    let kept = 0
    for (let i = 0; i < fields.length; i += 2) {
      const first = indexOfName(fields, fields[i].toLowerCase(), kept)
      if (first >= 0) {
        fields[first + 1] += `, ${fields[i + 1]}`
        continue
      }
      fields[kept] = fields[i]
      fields[kept + 1] = fields[i + 1]
      kept += 2
    }
    fields.length = kept
    this.#length = kept / 2
    for (let i = 0; i < kept; i += 2) {
      if (fields[i + 1].length > limit) return fields[i]
    }
    return ''
  }

  /** The index of the field with this name, in any case, or -1. */
  #indexOf(name: string): number {
    return (this.#kinds & kindOf(name.length, name.charCodeAt(0))) === 0 ? -1 : this.#find(name.toLowerCase())
  }

  /** Takes names and values in turn. @returns whether two of the names are of one kind, and so may be the same */
  #adopt(list: string[]): boolean {
    this.#written = list
    this.#length = list.length / 2
    let mayRepeat = false
    for (let i = 0; i < list.length; i += 2) {
      const kind = kindOf(list[i].length, list[i].charCodeAt(0))
      if ((this.#kinds & kind) !== 0) mayRepeat = true
      this.#kinds |= kind
    }
    return mayRepeat
  }

  #find(name: string): number {
    if (this.#written !== null) {
      const at = indexOfName(this.#written, name, this.#written.length)
      return at < 0 ? -1 : at / 2
    }
    const spans = this.#spans
    for (let i = 0; i < spans.length; i += 4) {
      if (spans[i + 1] - spans[i] === name.length && this.#nameAt(spans[i], name)) return i / 4
    }
    return -1
  }

  #isRepeated(bytes: Uint8Array, base: number, name: number, nameEnd: number): boolean {
    const spans = this.#spans
    for (let field = 0; field < spans.length; field += 4) {
      if (spans[field + 1] - spans[field] !== nameEnd - name) continue
      let i = nameEnd - name - 1
      while (i >= 0 && lowerCase(bytes[base + name + i]) === lowerCase(bytes[base + spans[field] + i])) i--
      if (i < 0) return true
    }
    return false
  }

  #nameAt(start: number, name: string): boolean {
    const text = this.#text
    for (let i = 0; i < name.length; i++) {
      if (lowerCase(text.charCodeAt(start + i)) !== name.charCodeAt(i)) return false
    }
    return true
  }

  #write(): string[] {
    if (this.#written !== null) return this.#written
    const fields: string[] = []
    for (let i = 0; i < this.#length; i++) fields.push(this.name(i), this.value(i))
    this.#written = fields
    return fields
  }
}

/** The index of a lower-case name in the first `end` entries of a list of names and values, or -1. */
function indexOfName(fields: readonly string[], name: string, end: number): number {
  for (let i = 0; i < end; i += 2) {
    if (fields[i].length === name.length && fields[i].toLowerCase() === name) return i
  }
  return -1
}

/** The bit for a name's kind: its length and its first letter in lower case. */
function kindOf(length: number, initial: number): number {
  return 1 << ((length + (initial | 32)) & 31)
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
