import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { HostServices, SharedStore } from '@gatewright/api'

/** How long an answer that other processes may have replaced is used without asking for it again, in milliseconds. */
const UNASKED = 1000

/** Kinds of answers. */
export type AnswerKind = 'user' | 'comparison' | 'dn' | 'subgroups'

/** An answer with the time at which it was given, in milliseconds since 1970. */
export interface Dated<T> {
  readonly value: T
  readonly at: number
}

/** Limits of the cache. */
export interface CacheLimits {
  /** Of answers of one kind for one URL. */
  readonly entries: Readonly<Record<AnswerKind, number>>
  /** Milliseconds for which answers are good; 0 or less: they are not used again. */
  readonly ttl: Readonly<Record<AnswerKind, number>>
  /** Bytes of the cache that all processes share; 0 for none. */
  readonly shared: number
}

/** Figures for the status page. */
export interface CacheFigures {
  readonly url: string
  readonly kind: AnswerKind
  readonly entries: number
  readonly limit: number
  readonly found: number
  readonly notFound: number
}

interface Entry {
  readonly json: string
  readonly at: number
  /** When the shared cache was last asked, or the answer was given. */
  confirmedAt: number
  /** The value of `json`; undefined until it is needed. No caller may change it. */
  value: unknown
}

interface Table {
  readonly url: string
  readonly kind: AnswerKind
  readonly entries: Map<string, Entry>
  found: number
  notFound: number
}

/**
 * Answers of directories, by the URL of the configuration. Each process remembers them; what it does not know it asks of
 * the cache that all processes share.
 */
export class AnswerCache {
  readonly #limits: CacheLimits
  readonly #shared: SharedStore | null
  /** Made once: a key in bytes would be taken apart for every password. */
  readonly #key: KeyObject
  readonly #epoch: string
  readonly #tables = new Map<string, Table>()

  /** @param epoch the same in all processes of a configuration, another one for the next: a reload empties the cache */
  constructor(limits: CacheLimits, services: HostServices, epoch: string) {
    this.#limits = limits
    this.#shared = limits.shared > 0 ? services.sharedStore('util_ldap.c', limits.shared) : null
    this.#key = createSecretKey(services.secret('util_ldap.c'))
    this.#epoch = epoch
  }

  /** The fingerprint by which a password is recognised: the cache holds no passwords. */
  fingerprint(url: string, filter: string, password: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([url, filter, password]))
      .digest('base64')
  }

  /** The answer to a question, with its time; undefined if none is known, or it is too old. */
  find(kind: AnswerKind, url: string, question: string): Dated<unknown> | undefined | Promise<Dated<unknown> | undefined> {
    const table = this.#table(kind, url)
    const now = Date.now()
    const entry = table.entries.get(question)
    if (entry !== undefined && this.#isGood(kind, entry.at, now)) {
      if (this.#shared === null || now - entry.confirmedAt < UNASKED) return this.#counted(table, entry)
    } else if (entry !== undefined) table.entries.delete(question)
    if (this.#shared === null) return this.#counted(table, undefined)
    return this.#shared.get(this.#sharedKey(kind, url, question)).then((bytes) => {
      const received = bytes === undefined ? undefined : parseEntry(Buffer.from(bytes).toString('latin1'))
      if (received !== undefined && this.#isGood(kind, received.at, Date.now())) {
        this.#keep(table, question, received)
        return this.#counted(table, received)
      }
      // It may have been displaced there; the own answer is still good.
      const own = table.entries.get(question)
      if (own === undefined) return this.#counted(table, undefined)
      own.confirmedAt = Date.now()
      return this.#counted(table, own)
    })
  }

  /** Remembers an answer. */
  keep(kind: AnswerKind, url: string, question: string, value: unknown): void {
    const ttl = this.#limits.ttl[kind]
    if (ttl <= 0) return
    const now = Date.now()
    const entry: Entry = { json: JSON.stringify(value), at: now, confirmedAt: now, value: undefined }
    this.#keep(this.#table(kind, url), question, entry)
    const bytes = Buffer.from(`${entry.at} ${entry.json}`, 'latin1')
    this.#shared?.set(this.#sharedKey(kind, url, question), bytes, ttl)
  }

  figures(): CacheFigures[] {
    return [...this.#tables.values()].map(({ url, kind, entries, found, notFound }) => ({
      url,
      kind,
      entries: entries.size,
      limit: this.#limits.entries[kind],
      found,
      notFound,
    }))
  }

  #isGood(kind: AnswerKind, at: number, now: number): boolean {
    const ttl = this.#limits.ttl[kind]
    return ttl > 0 && now - at <= ttl
  }

  #counted(table: Table, entry: Entry | undefined): Dated<unknown> | undefined {
    if (entry === undefined) {
      table.notFound++
      return undefined
    }
    table.found++
    entry.value ??= JSON.parse(entry.json)
    return { value: entry.value, at: entry.at }
  }

  #keep({ kind, entries }: Table, question: string, entry: Entry): void {
    entries.delete(question)
    entries.set(question, entry)
    if (entries.size <= this.#limits.entries[kind]) return
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }

  #table(kind: AnswerKind, url: string): Table {
    const key = `${kind} ${url}`
    let table = this.#tables.get(key)
    if (table === undefined) {
      table = { url, kind, entries: new Map(), found: 0, notFound: 0 }
      this.#tables.set(key, table)
    }
    return table
  }

  #sharedKey(kind: AnswerKind, url: string, question: string): string {
    return JSON.stringify([this.#epoch, kind, url, question])
  }
}

function parseEntry(text: string): Entry | undefined {
  const blank = text.indexOf(' ')
  const at = Number(text.slice(0, blank))
  return blank < 0 || Number.isNaN(at)
    ? undefined
    : { json: text.slice(blank + 1), at, confirmedAt: Date.now(), value: undefined }
}

/** Compares fingerprints in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
