import { isByteText, requireByteText } from './text/bytes.ts'

/**
 * A small ordered table of strings whose keys compare without regard to case, as httpd's header, note and
 * environment tables do. Names and values hold one byte per character: a character above U+00FF is refused
 * with a TypeError, because it could only be sent as another one, and that might be a line feed. `utf8Bytes`
 * encodes a text. A flat array: the tables of a request have a handful of entries, and a scan is cheaper than
 * a Map. A table of many entries has an index.
 */
export class Table {
  /** name, value, name, value, ... in insertion order. */
  private readonly flat: string[] = []
  /**
   * The index of the first entry of a name, by the name in lower case; null if a scan determines it, and
   * after entries were removed.
   */
  private places: Map<string, number> | null = null
  /** Names in lower case that have several entries, as far as `places` goes. */
  private repeated: Set<string> | null = null

  /** Number of entries; a name that was added twice counts twice. */
  get size(): number {
    return this.flat.length >> 1
  }

  /** The first value of a name, or undefined. */
  get(name: string): string | undefined {
    const at = this.find(name, 0)
    return at < 0 ? undefined : this.flat[at + 1]
  }

  /** All values of a name, in order. */
  getAll(name: string): string[] {
    const values: string[] = []
    for (let at = this.find(name, 0); at >= 0; at = this.find(name, at + 2)) values.push(this.flat[at + 1])
    return values
  }

  /** True when there is an entry of the name. */
  has(name: string): boolean {
    return this.find(name, 0) >= 0
  }

  /**
   * Replaces all entries of the name by one, at the place and in the spelling of the first.
   * @throws TypeError for a character above U+00FF
   */
  set(name: string, value: string): void {
    requireBytes(name, value)
    const at = this.find(name, 0)
    if (at < 0) {
      this.append(name, value)
      return
    }
    this.flat[at + 1] = value
    this.remove(name, at + 2)
  }

  /**
   * Adds an entry, also when the name is there already.
   * @throws TypeError for a character above U+00FF
   */
  add(name: string, value: string): void {
    requireBytes(name, value)
    this.append(name, value)
  }

  /**
   * Appends `, value` to the first entry of the name, or adds the entry.
   * @throws TypeError for a character above U+00FF
   */
  merge(name: string, value: string): void {
    requireBytes(name, value)
    const at = this.find(name, 0)
    if (at < 0) this.append(name, value)
    else this.flat[at + 1] = `${this.flat[at + 1]}, ${value}`
  }

  /** Takes all entries of the name away. */
  unset(name: string): void {
    this.remove(name, 0)
  }

  /** Takes everything away. */
  clear(): void {
    this.flat.length = 0
    this.places = null
  }

  /**
   * Name of an entry.
   *
   * @param index 0 to size - 1
   */
  name(index: number): string {
    return this.flat[index * 2]
  }

  /**
   * Value of an entry.
   *
   * @param index 0 to size - 1
   */
  value(index: number): string {
    return this.flat[index * 2 + 1]
  }

  /** Names and values, in the order in which they came. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let at = 0; at < this.flat.length; at += 2) yield [this.flat[at], this.flat[at + 1]]
  }

  private find(name: string, from: number): number {
    const flat = this.flat
    if (flat.length > SCANNED) {
      const first = this.firstOf(name)
      if (first === undefined) return -1
      if (from <= first) return first
      if (this.repeated?.has(name.toLowerCase()) !== true) return -1
    }
    for (let at = from; at < flat.length; at += 2) {
      const candidate = flat[at]
      if (candidate === name || (candidate.length === name.length && candidate.toLowerCase() === name.toLowerCase())) return at
    }
    return -1
  }

  /** Of names and values that were checked. */
  private append(name: string, value: string): void {
    if (this.places !== null) this.note(name, this.flat.length)
    this.flat.push(name, value)
  }

  /** Removes the entries of a name from an index on, in one pass. */
  private remove(name: string, from: number): void {
    const { flat } = this
    let at = this.find(name, from)
    if (at < 0) return
    let to = at
    while (at < flat.length) {
      const next = this.find(name, at + 2)
      const end = next < 0 ? flat.length : next
      flat.copyWithin(to, at + 2, end)
      to += end - at - 2
      at = end
    }
    flat.length = to
    this.places = null
  }

  private firstOf(name: string): number | undefined {
    if (this.places === null) {
      this.places = new Map()
      this.repeated = null
      for (let at = 0; at < this.flat.length; at += 2) this.note(this.flat[at], at)
    }
    return this.places.get(name.toLowerCase())
  }

  private note(name: string, at: number): void {
    const key = name.toLowerCase()
    if (this.places?.has(key) !== true) this.places?.set(key, at)
    else {
      this.repeated ??= new Set()
      this.repeated.add(key)
    }
  }
}

/** In elements of the array: longer tables, which only long lists of rules make, have an index. */
const SCANNED = 128

/** The message is only made where it is needed. */
function requireBytes(name: string, value: string): void {
  if (!isByteText(value)) requireByteText(`the value of ${name}`, value)
  if (!isByteText(name)) requireByteText('the name of a field or variable', name)
}
