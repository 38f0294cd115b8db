import type { AuditEntry, AuditedRule } from './audit-entry.ts'
import type { AuditReport, UnmatchedRule } from './audit-report.ts'
import type { ConfiguredRule } from './configured-rules.ts'
import { TalliedVisits } from './tallied-visits.ts'

/** Reasons for which refusals or grants are counted apart. A configuration has fewer. */
const MOST_REASONS = 5_000
/** Combinations of client, user and path that are remembered for a reason. */
const MOST_VISITS = 2_000
/** Providers that know the address of the client and nothing else. */
const BY_ADDRESS: ReadonlySet<string> = new Set(['ip', 'host', 'forward-dns', 'local', 'Allow'])

/** Which lines are counted: those of a day in UTC, those of the newest day of the log, or all. */
export type AuditedDays = { readonly day: string } | 'newest' | 'all'

interface Reason {
  readonly rules: readonly AuditedRule[]
  readonly by: string
  readonly status: number
  readonly visits: TalliedVisits
}

interface AskedRule extends ConfiguredRule {
  asked: number
  applied: number
}

/** Counts the lines of audit logs, in any order, with limited memory. */
export class AuditTally {
  readonly #days: AuditedDays
  #day: string | null
  #otherDays = 0
  #unreadable = 0
  #first: string | null = null
  #last: string | null = null
  #isSampled = false
  #decisions = { granted: 0, refused: 0, failed: 0 }
  #refusals = new Map<string, Reason>()
  #byAddress = new Map<string, Reason>()
  #asked = new Map<string, AskedRule>()

  constructor(days: AuditedDays) {
    this.#days = days
    this.#day = typeof days === 'object' ? days.day : null
  }

  /** @param entry null for a line that could not be read */
  add(entry: AuditEntry | null): void {
    if (entry === null) this.#unreadable++
    else if (this.#isOfDay(entry)) this.#count(entry)
    else this.#otherDays += entry.weight
  }

  /**
   * @param rules of the configuration; null if it is not known
   * @param logsGrants whether the log is meant to have grants; null if that is not known
   * @param top how many clients and paths are shown for a reason
   */
  report(rules: readonly ConfiguredRule[] | null, logsGrants: boolean | null, top: number): AuditReport {
    return {
      day: this.#days === 'all' ? null : this.#day,
      first: this.#first,
      last: this.#last,
      ...this.#decisions,
      isSampled: this.#isSampled,
      unreadable: this.#unreadable,
      otherDays: this.#otherDays,
      refusals: inOrder(this.#refusals).map(({ rules, by, status, visits }) => ({
        rules: rules.map(placed),
        by,
        status,
        count: visits.count,
        ...visits.top(top),
      })),
      unmatched: (logsGrants ?? this.#decisions.granted > 0) ? this.#unmatched(rules) : null,
      knowsConfiguration: rules !== null,
      byAddress: inOrder(this.#byAddress).map(({ rules, visits }) => ({
        rules: rules.map(placed),
        count: visits.count,
        ...visits.top(top),
      })),
    }
  }

  /** A line of a newer day than those before begins the count again, if the newest day is wanted. */
  #isOfDay({ time }: AuditEntry): boolean {
    if (this.#days === 'all') return true
    const day = time.slice(0, 10)
    if (this.#days === 'newest' && (this.#day === null || day > this.#day)) {
      const { granted, refused, failed } = this.#decisions
      this.#otherDays += granted + refused + failed
      this.#day = day
      this.#first = null
      this.#last = null
      this.#isSampled = false
      this.#decisions = { granted: 0, refused: 0, failed: 0 }
      this.#refusals = new Map()
      this.#byAddress = new Map()
      this.#asked = new Map()
    }
    return day === this.#day
  }

  #count(entry: AuditEntry): void {
    const { time, decision, rules, weight } = entry
    if (this.#first === null || time < this.#first) this.#first = time
    if (this.#last === null || time > this.#last) this.#last = time
    this.#decisions[decision] += weight
    if (weight > 1) this.#isSampled = true
    for (const rule of rules) this.#ask(rule, weight)
    if (decision === 'refused') {
      const { rules: refusing, by } = refusalOf(entry)
      addTo(this.#refusals, { rules: refusing, by, status: entry.status }, entry)
    } else if (decision === 'granted') {
      const granting = rules.filter((rule) => rule.verdict === 'granted' && !admitsAnybody(rule))
      if (granting.length > 0 && granting.every(({ provider }) => BY_ADDRESS.has(provider)))
        addTo(this.#byAddress, { rules: granting, by: '', status: 0 }, entry)
    }
  }

  #ask({ rule, file, line, verdict }: AuditedRule, weight: number): void {
    const key = JSON.stringify([file, line])
    let asked = this.#asked.get(key)
    if (asked === undefined) {
      if (this.#asked.size >= MOST_REASONS) return
      asked = { rule, file, line, asked: 0, applied: 0 }
      this.#asked.set(key, asked)
    }
    asked.asked += weight
    if (applies(rule, verdict)) asked.applied += weight
  }

  #unmatched(rules: readonly ConfiguredRule[] | null): readonly UnmatchedRule[] {
    const known = rules ?? [...this.#asked.values()].map(placed)
    return known.flatMap((rule) => {
      const { asked, applied } = this.#asked.get(JSON.stringify([rule.file, rule.line])) ?? { asked: 0, applied: 0 }
      return applied > 0 ? [] : [{ ...rule, asked }]
    })
  }
}

/** The most frequent one first, then in the order of the configuration. */
function inOrder(reasons: ReadonlyMap<string, Reason>): readonly Reason[] {
  const lineOf = ({ rules: [first] }: Reason): number => first?.line ?? Number.MAX_SAFE_INTEGER
  return [...reasons.values()].sort((a, b) => b.visits.count - a.visits.count || lineOf(a) - lineOf(b))
}

/** A rule that refuses applies when it refuses; one that grants applies when it grants. */
function applies(rule: string, verdict: string): boolean {
  return /^require\s+(?:not\s|all\s+denied)|^(?:deny|order)\s/i.test(rule) ? verdict === 'denied' : verdict === 'granted'
}

/** Whether a rule that grants says nothing about who asks. */
function admitsAnybody({ rule, provider }: AuditedRule): boolean {
  return provider === 'method' || /^(?:require all granted|allow from all)$/i.test(rule)
}

/** The rules that refused, or what refused in their place. */
function refusalOf({ rules, refusedBy, status }: AuditEntry): { readonly rules: readonly AuditedRule[]; readonly by: string } {
  const denied = rules.filter(({ verdict }) => verdict === 'denied' || verdict === 'denied-no-user')
  // A login that failed, or that is missing: the rules that need a user.
  if (refusedBy === '')
    return { rules: status === 401 ? denied.filter(({ verdict }) => verdict === 'denied-no-user') : [], by: '' }
  const kinds = refusedBy.split(/[^\w-]+/)
  const refusing = denied.length > 0 ? denied : rules.filter(({ verdict }) => verdict === 'neutral')
  const isByRules = refusing.some(({ provider }) => kinds.includes(provider) || provider === 'Order')
  return isByRules ? { rules: refusing, by: '' } : { rules: [], by: refusedBy }
}

/** A key that no reason has. */
const OTHERS = ''

function addTo(reasons: Map<string, Reason>, reason: Omit<Reason, 'visits'>, entry: AuditEntry): void {
  const { rules, by, status } = reason
  const wanted = JSON.stringify([by, status, rules.map(({ file, line, rule }) => [file, line, rule])])
  // More reasons than a configuration has: the log is forged, or of many configurations.
  const isOwn = reasons.has(wanted) || reasons.size < MOST_REASONS
  const key = isOwn ? wanted : OTHERS
  let found = reasons.get(key)
  if (found === undefined) {
    found = { ...(isOwn ? reason : { rules: [], by: 'other reasons', status: 0 }), visits: new TalliedVisits(MOST_VISITS) }
    reasons.set(key, found)
  }
  found.visits.add(entry)
}

function placed({ rule, file, line }: ConfiguredRule): ConfiguredRule {
  return { rule, file, line }
}
