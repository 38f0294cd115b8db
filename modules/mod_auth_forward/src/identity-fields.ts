import type { Fields, Request } from '@gatewright/api'

/**
 * The fields of requests that have values of the service. A client's fields of these names are deleted as soon as the
 * configuration of a request is known, whatever is decided about it later.
 */
export class IdentityFields {
  /** What the service said, by the fields of a request, which internal redirects share. */
  readonly #verified = new WeakMap<Fields, ReadonlyMap<string, string>>()

  /** Deletes what the client sent. Values of the service stay in redirects and sub-requests. */
  clean({ headersIn, main }: Request, names: readonly string[]): void {
    const verified = this.#verified.get(headersIn) ?? (main === null ? undefined : this.#verified.get(main.headersIn))
    const keys = new Set(names.map(keyOf))
    // Programs and backends take Remote_User for Remote-User.
    const sent = [...headersIn].map(([name]) => name).filter((name) => keys.has(keyOf(name)))
    for (const name of sent) {
      const value = verified?.get(name.toLowerCase())
      if (value === undefined || headersIn.get(name) !== value) headersIn.delete(name)
    }
  }

  /** Replaces the fields by values of the service; those that it did not send are missing afterwards. */
  replace({ headersIn }: Request, names: readonly string[], values: ReadonlyMap<string, string>): void {
    this.#verified.delete(headersIn)
    const keys = new Set(names.map(keyOf))
    for (const name of [...headersIn].map(([sent]) => sent)) if (keys.has(keyOf(name))) headersIn.delete(name)
    const kept = new Map<string, string>()
    for (const name of names) {
      const value = values.get(name.toLowerCase())
      if (value === undefined) continue
      headersIn.set(name, value)
      kept.set(name.toLowerCase(), value)
    }
    this.#verified.set(headersIn, kept)
  }
}

/** How programs name a field. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\da-z]/g, '-')
}
