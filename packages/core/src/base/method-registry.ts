import { KNOWN_METHODS, M_INVALID } from '@gatewright/api'

/** Maximum number of numbered methods, because sets of methods have 64 bits. */
const MAX_METHODS = 64

/** Method names and their numbers. HEAD has GET's number; names are case-sensitive. */
export class MethodRegistry {
  readonly #numbers = new Map<string, number>()

  constructor() {
    KNOWN_METHODS.forEach((name, number) => {
      this.#numbers.set(name, number)
    })
    this.#numbers.set('HEAD', 0)
  }

  /** The number, or M_INVALID for an unregistered method. */
  numberOf(name: string): number {
    // Shortcut for the most frequent methods.
    if (name === 'GET' || name === 'HEAD') return 0
    return this.#numbers.get(name) ?? M_INVALID
  }

  has(name: string): boolean {
    return this.#numbers.has(name)
  }

  /** Assigns a number to a name, or returns the existing one; undefined if all are in use. */
  register(name: string): number | undefined {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    // HEAD shares a number, so the size of the map is one past M_INVALID.
    const next = this.#numbers.size
    if (next >= MAX_METHODS) return undefined
    this.#numbers.set(name, next)
    return next
  }
}
