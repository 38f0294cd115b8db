/**
 * A small ordered table of strings with keys that match in any case, like httpd's header, note and
 * environment tables. The entries are in a flat array: the tables of a request have a handful of entries, and
 * a scan is cheaper than a Map.
 */
export class Table {
  /** name, value, name, value, ... in insertion order. */
  private readonly flat: string[] = []

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

  has(name: string): boolean {
    return this.find(name, 0) >= 0
  }

  /** Replaces all entries with the name by one, at the position and with the spelling of the first. */
  set(name: string, value: string): void {
    const at = this.find(name, 0)
    if (at < 0) {
      this.flat.push(name, value)
      return
    }
    this.flat[at + 1] = value
    for (let more = this.find(name, at + 2); more >= 0; more = this.find(name, more)) this.flat.splice(more, 2)
  }

  /** Adds an entry, even if the name exists already. */
  add(name: string, value: string): void {
    this.flat.push(name, value)
  }

  /** Appends `, value` to the first entry with the name, or adds the entry. */
  merge(name: string, value: string): void {
    const at = this.find(name, 0)
    if (at < 0) this.flat.push(name, value)
    else this.flat[at + 1] = `${this.flat[at + 1]}, ${value}`
  }

  unset(name: string): void {
    for (let at = this.find(name, 0); at >= 0; at = this.find(name, at)) this.flat.splice(at, 2)
  }

  clear(): void {
    this.flat.length = 0
  }

  name(index: number): string {
    return this.flat[index * 2]
  }

  value(index: number): string {
    return this.flat[index * 2 + 1]
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let at = 0; at < this.flat.length; at += 2) yield [this.flat[at], this.flat[at + 1]]
  }

  private find(name: string, from: number): number {
    const flat = this.flat
    for (let at = from; at < flat.length; at += 2) {
      const candidate = flat[at]
      if (candidate === name || (candidate.length === name.length && candidate.toLowerCase() === name.toLowerCase())) return at
    }
    return -1
  }
}
