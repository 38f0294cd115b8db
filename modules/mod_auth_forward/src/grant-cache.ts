import { createHash } from 'node:crypto'
import type { FieldPair } from './service.ts'

/** So many grants are remembered; the oldest makes room. */
const MOST_GRANTS = 2_000

/** What a 2xx answer says. */
export interface Grant {
  readonly user: string
  /** The fields to copy, by their names in lower case. */
  readonly values: ReadonlyMap<string, string>
}

/** Remembers grants for a short time, by all fields of the question. */
export class GrantCache {
  readonly #grants = new Map<string, { readonly grant: Grant; readonly until: number }>()

  /** The key of a question: nothing but an equal one gets the same answer. */
  keyOf(url: URL, fields: readonly FieldPair[], names: readonly string[]): string {
    return createHash('sha256')
      .update(JSON.stringify([url.href, fields, names]))
      .digest('base64')
  }

  get(key: string, now: number): Grant | undefined {
    const known = this.#grants.get(key)
    if (known === undefined) return undefined
    if (known.until > now) return known.grant
    this.#grants.delete(key)
    return undefined
  }

  set(key: string, grant: Grant, until: number): void {
    this.#grants.delete(key)
    for (const [oldest] of this.#grants) {
      if (this.#grants.size < MOST_GRANTS) break
      this.#grants.delete(oldest)
    }
    this.#grants.set(key, { grant, until })
  }
}
