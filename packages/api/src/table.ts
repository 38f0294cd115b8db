import { isByteText, requireByteText } from './text/bytes.ts'

/**
 * A small ordered table of strings with keys that match in any case, like httpd's header, note and
 * environment tables. Names and values have one byte per character: a character above U+00FF is rejected with
 * a TypeError, because it would be sent as another one, possibly a line feed. `utf8Bytes` encodes a text. The
 * entries are in a flat array: the tables of a request have a handful of entries, and a scan is cheaper than
 * a Map. A table with many entries also has an index.
 */
export class Table {
  /** name, value, name, value, ... in insertion order. */
  private readonly flat: string[] = []
  /**
   * The index of the first entry with a name, by the name in lower case; null if the table is scanned, and
   * after entries were removed.
   */
  private places: Map<string, number> | null = null
  /** Names in lower case with several entries, as far as `places` covers them. */
  private repeated: Set<string> | null = null

  /** Number of entries; a name that was added twice counts twice. */
  get size(): number {
    return this.flat.length >> 1
  }

  /** The first value with a name, or undefined. */
  get(name: string): string | undefined {
    const at = this.find(name, 0)
    return at < 0 ? undefined : this.flat[at + 1]
  }

  /** All values with a name, in order. */
  getAll(name: string): string[] {
    const values: string[] = []
    for (let at = this.find(name, 0); at >= 0; at = this.find(name, at + 2)) values.push(this.flat[at + 1])
    return values
  }

  /** Whether an entry with the name exists. */
  has(name: string): boolean {
    return this.find(name, 0) >= 0
  }

  /**
   * Replaces all entries with the name by one, at the position and with the spelling of the first.
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
   * Adds an entry, even if the name exists already.
   * @throws TypeError for a character above U+00FF
   */
  add(name: string, value: string): void {
    requireBytes(name, value)
    this.append(name, value)
  }

  /**
   * Appends `, value` to the first entry with the name, or adds the entry.
   * @throws TypeError for a character above U+00FF
   */
  merge(name: string, value: string): void {
    requireBytes(name, value)
    const at = this.find(name, 0)
    if (at < 0) this.append(name, value)
    else this.flat[at + 1] = `${this.flat[at + 1]}, ${value}`
  }

  /** Removes all entries with the name. */
  unset(name: string): void {
    this.remove(name, 0)
  }

  /** Removes all entries. */
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

  /** Names and values, in the order in which they were added. */
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
      if (isSameName(flat[at], name)) return at
    }
    return -1
  }

  /** Appends a name and a value that have been checked. */
  private append(name: string, value: string): void {
    if (this.places !== null) this.note(name, this.flat.length)
    this.flat.push(name, value)
  }

  /** Removes the entries of a name from an index on, in one pass. */
  private remove(name: string, from: number): void {
    const { flat } = this
    let to = this.find(name, from)
    if (to < 0) return
    for (let at = to + 2; at < flat.length; at += 2) {
      if (isSameName(flat[at], name)) continue
      flat[to] = flat[at]
      flat[to + 1] = flat[at + 1]
      to += 2
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

/**
 * Number of array elements up to which a table is scanned. Longer tables, which only long lists of rules
 * make, have an index.
 */
const SCANNED = 128

/** A function call builds the message only for an error. */
function requireBytes(name: string, value: string): void {
  if (!isByteText(value)) requireByteText(`the value of ${name}`, value)
  if (!isByteText(name)) requireByteText('the name of a field or variable', name)
}

function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  // Most names of equal length differ in a letter: lower-case copies of both are rarely needed.
  for (let i = 0; i < one.length; i++) {
    const difference = one.charCodeAt(i) ^ other.charCodeAt(i)
    if (difference !== 0 && difference !== CASE_BIT) return false
  }
  return one.toLowerCase() === other.toLowerCase()
}

/** In which capital and small letters differ, of ASCII and of Latin-1 alike. */
const CASE_BIT = 32
