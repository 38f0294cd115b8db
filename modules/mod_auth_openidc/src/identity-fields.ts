import type { Fields, Request } from '@gatewright/api'

/** Decides whether a field may have come from nobody but this module, by its name in the form of {@link nameKey}. */
export type IsOurs = (key: string) => boolean

/**
 * The fields of requests with the user's data. A client's fields of these names are deleted as soon as the configuration of a
 * request is known, whatever is decided about it later.
 */
export class IdentityFields {
  /** What this module has set, by the fields of a request, which internal redirects share. */
  readonly #verified = new WeakMap<Fields, ReadonlyMap<string, string>>()

  /** Deletes what the client sent. What this module has set stays in redirects and sub-requests. */
  clean({ headersIn, main }: Request, isOurs: IsOurs): void {
    const verified = this.#verified.get(headersIn) ?? (main === null ? undefined : this.#verified.get(main.headersIn))
    const sent: string[] = []
    for (const [name] of headersIn) if (isOurs(nameKey(name))) sent.push(name)
    for (const name of sent) {
      const value = verified?.get(name.toLowerCase())
      if (value === undefined || headersIn.get(name) !== value) headersIn.delete(name)
    }
  }

  /** Replaces all of the fields. */
  replace({ headersIn }: Request, isOurs: IsOurs, values: ReadonlyMap<string, string>): void {
    this.#verified.delete(headersIn)
    for (const name of [...headersIn].map(([sent]) => sent)) if (isOurs(nameKey(name))) headersIn.delete(name)
    const kept = new Map<string, string>()
    for (const [name, value] of values) {
      headersIn.set(name, value)
      kept.set(name.toLowerCase(), value)
    }
    this.#verified.set(headersIn, kept)
  }
}

/** How programs name a field: they take OIDC-Claim-Sub for OIDC_CLAIM_sub. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\da-z]/g, '-')
}
