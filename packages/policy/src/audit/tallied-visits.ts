import type { AuditEntry } from './audit-entry.ts'

/** A client or user at a place, and how often. */
export interface Visits {
  readonly client: string
  /** Null without a user. */
  readonly user: string | null
  readonly host: string
  readonly path: string
  readonly count: number
}

/**
 * Counts who was where. It remembers a limited number of combinations, because clients choose paths and addresses; of what it does
 * not remember it keeps the sum.
 */
export class TalliedVisits {
  /** Decisions, those that are not remembered included. */
  count = 0
  readonly #seen = new Map<string, Visits>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add({ client, user, host, path, weight }: AuditEntry): void {
    this.count += weight
    const key = JSON.stringify([client, user, host, path])
    const before = this.#seen.get(key)
    if (before === undefined && this.#seen.size >= this.#most) return
    this.#seen.set(key, { client, user, host, path, count: (before?.count ?? 0) + weight })
  }

  /** The most frequent ones, and the number of decisions that belong to none of these. */
  top(limit: number): { readonly visits: readonly Visits[]; readonly others: number } {
    const visits = [...this.#seen.values()].sort((a, b) => b.count - a.count).slice(0, limit)
    return { visits, others: this.count - visits.reduce((sum, { count }) => sum + count, 0) }
  }
}
