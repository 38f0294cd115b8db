/** Line ends: in a value they would begin another field. A directive may have put a decoded path into one. */
const LINE_ENDS = /[\r\n]/g

/** A value without line ends: a blank replaces each, as mod_headers does with most values. */
export function ofOneLine(value: string): string {
  return value.includes('\n') || value.includes('\r') ? value.replace(LINE_ENDS, ' ') : value
}

/** The fields of a request to a backend, equal names joined at the first. There are few, so they are searched one by one. */
export class OutgoingFields {
  readonly #keys: string[] = []
  readonly #names: string[] = []
  readonly #values: string[] = []

  /** @param key the name in lower case */
  add(name: string, value: string, key: string = name.toLowerCase()): void {
    const index = this.#keys.indexOf(key)
    if (index >= 0) {
      this.#values[index] += `, ${value}`
      return
    }
    this.#keys.push(key)
    this.#names.push(name)
    this.#values.push(value)
  }

  /** @param key in lower case */
  has(key: string): boolean {
    return this.#keys.includes(key)
  }

  /** @param key in lower case */
  delete(key: string): void {
    const index = this.#keys.indexOf(key)
    if (index < 0) return
    for (const list of [this.#keys, this.#names, this.#values]) list.splice(index, 1)
  }

  /** Keys and values. */
  *entries(): IterableIterator<readonly [key: string, value: string]> {
    for (let i = 0; i < this.#keys.length; i++) yield [this.#keys[i], this.#values[i]]
  }

  /** Adds all of them to the lines of a head. */
  addTo(lines: string[]): void {
    for (let i = 0; i < this.#names.length; i++) lines.push(this.#names[i], ': ', ofOneLine(this.#values[i]), '\r\n')
  }
}
