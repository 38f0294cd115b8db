import { utf8Bytes } from '@gatewright/api/text'
import type { VariableLookup } from '@gatewright/config'

/** Names defined by -D and Define, and the values of `${NAME}`. */
export class Defines implements VariableLookup {
  /** In their original case: `<IfDefine>` is case-sensitive. */
  readonly #names = new Map<string, string | undefined>()
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #onUndefined: (name: string) => void

  constructor(
    names: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
    onUndefined: (name: string) => void,
  ) {
    for (const name of names) this.#names.set(name, undefined)
    this.#environment = environment
    this.#onUndefined = onUndefined
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  set(name: string, value: string | undefined): void {
    this.#names.set(name, value)
  }

  delete(name: string): void {
    this.#names.delete(name)
  }

  /** The Define table first, in any case, then the process environment. */
  value(name: string): string | undefined {
    const exact = this.#names.get(name)
    if (exact !== undefined) return exact
    const lower = name.toLowerCase()
    for (const [defined, value] of this.#names) if (value !== undefined && defined.toLowerCase() === lower) return value
    const value = this.#environment[name]
    // Texts are bytes here; Node decodes the environment as UTF-8.
    return value === undefined ? undefined : utf8Bytes(value)
  }

  undefinedVariable(name: string): void {
    this.#onUndefined(name)
  }

  /** In the order of definition, for -S. */
  entries(): IterableIterator<[string, string | undefined]> {
    return this.#names.entries()
  }
}
