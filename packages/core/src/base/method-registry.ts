import { KNOWN_METHODS, M_INVALID } from '@gatewright/api'

/** At most this many methods have a number; sets of methods are 64 bits wide. */
const MAX_METHODS = 64

/** Method names and their numbers. HEAD has GET's number; names are compared with regard to case. */
export class MethodRegistry {
  readonly #numbers = new Map<string, number>()

  constructor() {
    KNOWN_METHODS.forEach((name, number) => {
      this.#numbers.set(name, number)
    })
    this.#numbers.set('HEAD', 0)
  }

  /** The number, or M_INVALID for a method that nobody registered. */
  numberOf(name: string): number {
    // The commonest methods without a look-up.
    if (name === 'GET' || name === 'HEAD') return 0
    return this.#numbers.get(name) ?? M_INVALID
  }

  has(name: string): boolean {
    return this.#numbers.has(name)
  }

  /** Gives a name a number, or finds the one it has; undefined when all are taken. */
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
