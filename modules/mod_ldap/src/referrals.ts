import { LdapConnection, type LdapEntry, parseLdapUrl, RESULT, type SearchRequest, type SearchResult } from '@gatewright/ldap'
import type { ServerDown } from './open-connection.ts'

/** How far a search follows referrals, however few hops each takes. */
const MOST_SERVERS = 50

/** How referrals to other servers are followed. */
export interface ReferralRules {
  /** 0 if they are not followed. */
  readonly hopLimit: number
  /** Milliseconds; 0 for no limit. */
  readonly operationTimeout: number
  /** Opens a connection to a server that a referral names, bound as the account of the session. */
  open(host: string, port: number, isSecured: boolean): Promise<LdapConnection | ServerDown>
}

/** A place where a search continues. */
interface Continuation {
  /** The URLs of alternatives. */
  readonly urls: readonly string[]
  readonly search: SearchRequest
  readonly hop: number
}

/**
 * Continues a search at the servers to which the first one has referred. A server that cannot be asked is left out, but
 * for one that all of the search was referred to.
 * @param keep how many entries to keep
 */
export async function continueSearch(
  rules: ReferralRules,
  search: SearchRequest,
  first: SearchResult,
  keep: number,
): Promise<Pick<SearchResult, 'code' | 'entries' | 'count'>> {
  if (rules.hopLimit === 0 || (first.references.length === 0 && first.code !== RESULT.referral)) return first
  const entries: LdapEntry[] = [...first.entries]
  let { count, code } = first
  const visited = new Set<string>()
  const open: Continuation[] = continuationsOf(first, search, 1)
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next.hop > rules.hopLimit || visited.size >= MOST_SERVERS) {
      if (code === RESULT.referral) code = RESULT.referralLimit
      continue
    }
    const result = await searchAt(rules, next, visited, keep)
    if (result === null) continue
    count += result.count
    entries.push(...result.entries.slice(0, Math.max(0, keep - entries.length)))
    open.push(...continuationsOf(result, result.search, next.hop + 1))
    if (code === RESULT.referral || code === RESULT.success) code = result.code
    // Reported only if nothing better is known of the rest.
    if (result.code === RESULT.noSuchObject && first.code === RESULT.success) code = RESULT.success
  }
  return { code, entries, count }
}

function continuationsOf({ code, references, referrals }: SearchResult, search: SearchRequest, hop: number): Continuation[] {
  const lists = code === RESULT.referral ? [...references, referrals] : references
  return lists.map((urls) => ({ urls, search, hop }))
}

/** Searches at the first of the alternatives that can be asked; null if none can, or the search was made before. */
async function searchAt(
  rules: ReferralRules,
  { urls, search }: Continuation,
  visited: Set<string>,
  keep: number,
): Promise<(SearchResult & { readonly search: SearchRequest }) | null> {
  for (const text of urls) {
    const url = parseLdapUrl(text)
    if ('error' in url || url.scheme === 'ldapi') continue
    const isSecured = url.scheme === 'ldaps'
    const host = url.hosts.replace(/:\d+$/, '') || 'localhost'
    const port = url.port || (isSecured ? 636 : 389)
    const there: SearchRequest = { ...search, base: url.base ?? search.base, scope: url.scope ?? search.scope }
    const key = JSON.stringify([host.toLowerCase(), port, there.base.toLowerCase(), there.scope])
    if (visited.has(key)) return null
    visited.add(key)
    const connection = await rules.open(host, port, isSecured)
    if (!(connection instanceof LdapConnection)) continue
    const result = await connection.search(there, keep, rules.operationTimeout)
    connection.close()
    return { ...result, search: there }
  }
  return null
}
