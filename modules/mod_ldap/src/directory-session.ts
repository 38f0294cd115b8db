import { setTimeout as delay } from 'node:timers/promises'
import type { MaybePromise, ModuleLog, Request } from '@gatewright/api'
import type {
  LdapOutcome,
  LdapSession,
  LdapSubgroups,
  LdapTarget,
  LdapUser,
  LdapUserOutcome,
  LdapUserSearch,
} from '@gatewright/api/peers'
import { encodeFilter, LdapConnection, type LdapEntry, RESULT, type SearchRequest, type SearchResult } from '@gatewright/ldap'
import { type AnswerCache, isSame } from './answer-cache.ts'
import { type Comparison, isCachedUser, isComparison, isTexts } from './cached-answers.ts'
import { type ConnectionPool, isAccount, type PooledConnection, type PoolKey } from './connection-pool.ts'
import type { ServerDown } from './open-connection.ts'
import { continueSearch, type ReferralRules } from './referrals.ts'

/** What sessions of one request need of the module. Times are in milliseconds. */
export interface SessionRules {
  readonly request: Request
  readonly log: ModuleLog
  readonly pool: ConnectionPool
  readonly poolKey: PoolKey
  readonly poolTtl: number
  /** Null if nothing is remembered. */
  readonly cache: AnswerCache | null
  readonly retries: number
  readonly retryDelay: number
  readonly operationTimeout: number
  readonly referrals: ReferralRules
  /** Opens a connection to the first server of the target that accepts one. */
  open(): Promise<LdapConnection | ServerDown>
}

/** What httpd's `ldap_search_ext_s` returns for a search. */
type Searched = Pick<SearchResult, 'code' | 'entries' | 'count'>

/** The texts of failures of an operation. */
interface Failures {
  readonly serverDown: string
  readonly timeout: string
  readonly other: string
}

const USER_SEARCH: Failures = {
  serverDown: 'ldap_search_ext_s() for user failed with server down',
  timeout: 'ldap_search_ext_s() for user failed with timeout',
  other: 'ldap_search_ext_s() for user failed',
}
const SUBGROUP_SEARCH: Failures = {
  serverDown: 'ldap_search_ext_s() for subgroups failed with server down',
  timeout: 'ldap_search_ext_s() for subgroups failed with timeout',
  other: 'ldap_search_ext_s() for subgroups failed',
}
const DN_SEARCH: Failures = {
  serverDown: 'DN Comparison ldap_search_ext_s() failed with server down',
  timeout: 'DN Comparison ldap_search_ext_s() failed with timeout',
  other: 'DN Comparison ldap_search_ext_s() failed',
}

/** Asks a directory, or the cache of its answers, in the steps and words of httpd's util_ldap. */
export class DirectorySession implements LdapSession {
  readonly #rules: SessionRules
  readonly #target: LdapTarget
  #lease: PooledConnection | null = null
  #isClosed = false

  constructor(rules: SessionRules, target: LdapTarget) {
    this.#rules = rules
    this.#target = target
  }

  checkUser(search: LdapUserSearch, password: string): MaybePromise<LdapUserOutcome> {
    const { cache } = this.#rules
    if (cache === null) return this.#checkUser(search, password, null)
    const fingerprint = cache.fingerprint(search.url, search.filter, password)
    return whenKnown(cache.find('user', search.url, search.filter), (known) => {
      const user = isCachedUser(known?.value) ? known.value : null
      if (user?.password != null && isSame(user.password, fingerprint)) {
        return { code: RESULT.success, reason: 'Authentication successful (cached)', user: user.user }
      }
      return this.#checkUser(search, password, fingerprint)
    })
  }

  async #checkUser(search: LdapUserSearch, password: string, fingerprint: string | null): Promise<LdapUserOutcome> {
    const outcome = await this.#persist(async (failures): Promise<LdapUserOutcome & Attempt> => {
      const opened = await this.#open()
      if ('code' in opened) return { ...opened, user: null }
      const found = await this.#findOne(opened, search)
      if (found.user === null) return found
      if (password === '') return { code: RESULT.invalidCredentials, reason: 'Empty password not allowed', user: null }
      opened.boundAs = null
      const { code } = await connectionOf(opened).bind(found.user.dn, password, this.#rules.operationTimeout)
      if (code === RESULT.serverDown || (code === RESULT.timeout && failures === 0)) {
        const reason = 'ldap_simple_bind() to check user credentials failed with server down'
        return { retry: true, code, reason, user: null }
      }
      if (code !== RESULT.success) {
        return { code, reason: 'ldap_simple_bind() to check user credentials failed', user: null }
      }
      return { code, reason: 'Authentication successful', user: found.user }
    })
    if (outcome.user !== null && fingerprint !== null) {
      const { user } = outcome
      this.#rules.cache?.keep('user', search.url, search.filter, { user, password: fingerprint })
    }
    return outcome
  }

  findUser(search: LdapUserSearch): MaybePromise<LdapUserOutcome> {
    const { cache } = this.#rules
    if (cache === null) return this.#findUser(search)
    return whenKnown(cache.find('user', search.url, search.filter), (known) =>
      isCachedUser(known?.value)
        ? { code: RESULT.success, reason: 'Search successful (cached)', user: known.value.user }
        : this.#findUser(search),
    )
  }

  async #findUser(search: LdapUserSearch): Promise<LdapUserOutcome> {
    const outcome = await this.#persist(async (): Promise<LdapUserOutcome & Attempt> => {
      const opened = await this.#open()
      return 'code' in opened ? { ...opened, user: null } : this.#findOne(opened, search)
    })
    if (outcome.user === null) return outcome
    this.#rules.cache?.keep('user', search.url, search.filter, { user: outcome.user, password: null })
    return { ...outcome, reason: 'Search successful' }
  }

  /** Searches for exactly one entry. */
  async #findOne(lease: PooledConnection, search: LdapUserSearch): Promise<LdapUserOutcome & Attempt> {
    const { base, scope, attributes, filter } = search
    const result = await this.#search(lease, { base, scope, attributes, filter, typesOnly: false })
    const failure = failureOf(result.code, USER_SEARCH)
    if (failure !== null) return { ...failure, user: null }
    const [entry] = result.entries
    if (result.count !== 1 || entry === undefined) {
      const reason = result.count === 0 ? 'User not found' : 'User is not unique (search found two or more matches)'
      return { code: RESULT.noSuchObject, reason, user: null }
    }
    return { code: RESULT.success, reason: '', user: userOf(entry, attributes) }
  }

  compare(url: string, dn: string, attribute: string, value: string): MaybePromise<LdapOutcome> {
    const { cache } = this.#rules
    if (cache === null) return this.#compare(url, dn, attribute, value)
    return whenKnown(cache.find('comparison', url, comparisonKey(dn, attribute, value)), (known) => {
      if (!isComparison(known?.value)) return this.#compare(url, dn, attribute, value)
      const { code } = known.value
      return { code, reason: COMPARED.get(code)?.cached ?? 'Comparison undefined (cached)' }
    })
  }

  async #compare(url: string, dn: string, attribute: string, value: string): Promise<LdapOutcome> {
    const outcome = await this.#persist(async (failures): Promise<LdapOutcome & Attempt> => {
      const opened = await this.#open()
      if ('code' in opened) return opened
      const { code } = await connectionOf(opened).compare(dn, attribute, value, this.#rules.operationTimeout)
      if (code === RESULT.serverDown) return { retry: true, code, reason: 'ldap_compare_s() failed with server down' }
      if (code === RESULT.timeout && failures === 0) return { retry: true, code, reason: 'ldap_compare_s() failed with timeout' }
      return { code, reason: COMPARED.get(code)?.asked ?? 'Comparison complete' }
    })
    if (COMPARED.has(outcome.code)) {
      const known: Comparison = { code: outcome.code }
      this.#rules.cache?.keep('comparison', url, comparisonKey(dn, attribute, value), known)
    }
    return outcome
  }

  compareDn(url: string, dn: string, required: string, onServer: boolean): MaybePromise<LdapOutcome> {
    if (!onServer) return dn === required ? SAME_TEXT : OTHER_TEXT
    const { cache } = this.#rules
    if (cache === null) return this.#compareDn(url, dn, required)
    return whenKnown(cache.find('dn', url, required), (known) =>
      known?.value === dn
        ? { code: RESULT.compareTrue, reason: 'DN Comparison TRUE (cached)' }
        : this.#compareDn(url, dn, required),
    )
  }

  async #compareDn(url: string, dn: string, required: string): Promise<LdapOutcome> {
    const outcome = await this.#persist(async (): Promise<LdapOutcome & Attempt> => {
      const opened = await this.#open()
      if ('code' in opened) return opened
      const filter = '(objectclass=*)'
      const result = await this.#search(opened, { base: required, scope: 'base', attributes: ['1.1'], filter, typesOnly: true })
      const failure = failureOf(result.code, DN_SEARCH)
      if (failure !== null) return failure
      return result.entries[0]?.dn === dn
        ? { code: RESULT.compareTrue, reason: 'DN Comparison TRUE (checked on server)' }
        : { code: RESULT.compareFalse, reason: 'DN Comparison FALSE (checked on server)' }
    })
    if (outcome.code === RESULT.compareTrue) this.#rules.cache?.keep('dn', url, required, dn)
    return outcome
  }

  inSubgroups(url: string, group: string, attribute: string, value: string, subgroups: LdapSubgroups): MaybePromise<LdapOutcome> {
    return this.#inSubgroups({ url, attribute, value, subgroups, seen: new Map() }, group, 0)
  }

  async #inSubgroups(question: SubgroupQuestion, group: string, level: number): Promise<LdapOutcome> {
    const { url, attribute, value, subgroups, seen } = question
    if (level >= subgroups.depth) return { code: RESULT.compareFalse, reason: 'Comparison false (adding to cache)' }
    const before = seen.get(group)
    // What is below it was looked at with as many levels left, or is being looked at: it loops.
    if (before !== undefined && before <= level) return { code: RESULT.compareFalse, reason: 'Comparison false (cached)' }
    seen.set(group, level)

    const isGroup = await this.#isOfClass(url, group, subgroups.classes)
    if (isGroup.code !== RESULT.compareTrue) return { code: isGroup.code, reason: 'DN failed group verification.' }
    const members = await this.#subgroupsOf(url, group, subgroups)
    if (!Array.isArray(members)) return members
    const { log, request } = this.#rules
    let outcome: LdapOutcome = { code: RESULT.compareFalse, reason: 'Comparison false (adding to cache)' }
    for (const member of members) {
      outcome = await this.compare(url, member, attribute, value)
      const where = `(${member}) at level ${level + 1} of ${subgroups.depth}.`
      if (outcome.code === RESULT.compareTrue) {
        log.write(request, 'debug', 'AH01295', `Found user ${value} in a subgroup ${where}`)
        return outcome
      }
      log.write(request, 'debug', 'AH01296', `User ${value} not found in subgroup ${where}`)
      outcome = await this.#inSubgroups(question, member, level + 1)
      if (outcome.code === RESULT.compareTrue) return outcome
    }
    return outcome
  }

  async #isOfClass(url: string, dn: string, classes: readonly string[]): Promise<LdapOutcome> {
    let outcome: LdapOutcome = { code: RESULT.compareFalse, reason: '' }
    for (const name of classes) {
      outcome = await this.compare(url, dn, 'objectClass', name)
      if (outcome.code === RESULT.compareTrue) break
    }
    return outcome
  }

  /** The members of a group that are groups. */
  async #subgroupsOf(url: string, group: string, { attributes, classes }: LdapSubgroups): Promise<string[] | LdapOutcome> {
    const { cache, log, request } = this.#rules
    const question = JSON.stringify([group, attributes, classes])
    const known = await cache?.find('subgroups', url, question)
    if (isTexts(known?.value)) return known.value

    const members: string[] = []
    const outcome = await this.#persist(async (): Promise<LdapOutcome & Attempt> => {
      const opened = await this.#open()
      if ('code' in opened) return opened
      const result = await this.#search(opened, {
        base: group,
        scope: 'base',
        attributes,
        filter: '(objectClass=*)',
        typesOnly: false,
      })
      const failure = failureOf(result.code, SUBGROUP_SEARCH)
      if (failure !== null) return failure
      const [entry] = result.entries
      for (const name of attributes) members.push(...(entry?.attributes.get(name.toLowerCase()) ?? []))
      return { code: RESULT.success, reason: '' }
    })
    if (outcome.code !== RESULT.success) return outcome
    const groups: string[] = []
    for (const member of new Set(members)) {
      if ((await this.#isOfClass(url, member, classes)).code === RESULT.compareTrue) groups.push(member)
    }
    if (groups.length === 0) log.write(request, 'debug', 'AH01290', `no subgroups for ${group}`)
    cache?.keep('subgroups', url, question, groups)
    return groups
  }

  close(): void {
    this.#isClosed = true
    this.#giveBack()
  }

  #giveBack(): void {
    const lease = this.#lease
    this.#lease = null
    if (lease !== null) this.#rules.pool.release(this.#rules.poolKey, lease, this.#rules.poolTtl)
  }

  /** Tries an operation again while the server is away, as often as LDAPRetries says. */
  async #persist<T extends LdapOutcome>(operation: (failures: number) => Promise<T & Attempt>): Promise<T> {
    const { retries, retryDelay } = this.#rules
    for (let failures = 0; ; ) {
      if (failures > 0 && retryDelay > 0) await delay(retryDelay)
      const outcome = await operation(failures)
      if (outcome.retry !== true) return outcome
      this.#drop()
      if (++failures > retries) return outcome
    }
  }

  /** A connection that cannot be relied on is not used again. */
  #drop(): void {
    const lease = this.#lease
    lease?.connection?.close()
    if (lease !== null) {
      lease.connection = null
      lease.boundAs = null
    }
  }

  /** The session's connection, bound as its account. */
  async #open(): Promise<PooledConnection | LdapOutcome> {
    const { pool, poolKey, poolTtl, operationTimeout, retries, retryDelay, log, request } = this.#rules
    const { bindDn, bindPassword } = this.#target
    const lease = this.#lease ?? (await pool.acquire(poolKey, poolTtl, operationTimeout))
    if (lease === null) return { code: RESULT.timeout, reason: 'LDAP: ldap_simple_bind() failed' }
    this.#lease = lease
    if (this.#isClosed) {
      this.#giveBack()
      return { code: RESULT.serverDown, reason: 'LDAP: ldap_simple_bind() failed' }
    }
    if (lease.connection?.isOpen === true && lease.boundAs !== null && isAccount(lease.boundAs, bindDn, bindPassword)) {
      return lease
    }
    let code: number = RESULT.serverDown
    let reason = 'LDAP: ldap_simple_bind() failed'
    for (let failures = 0; failures <= retries; failures++) {
      if (failures > 0 && retryDelay > 0) await delay(retryDelay)
      const wasOpen = lease.connection?.isOpen === true
      if (!wasOpen) {
        const opened = await this.#rules.open()
        if (!(opened instanceof LdapConnection)) {
          code = opened.code
          reason = opened.reason
          if (code === RESULT.timeout) log.write(request, 'info', 'AH01284', timedOut('new'))
          if (opened.isFinal) break
          continue
        }
        lease.connection = opened
      }
      lease.boundAs = null
      const result = await connectionOf(lease).bind(bindDn ?? '', bindPassword ?? '', operationTimeout)
      code = result.code
      if (code === RESULT.success) {
        lease.boundAs = { dn: bindDn, password: bindPassword }
        return lease
      }
      if (code === RESULT.timeout) {
        const what = wasOpen ? 'reused' : 'new'
        log.write(request, 'info', 'AH01284', timedOut(what))
      } else if (code !== RESULT.serverDown) break
      else log.write(request, 'trace2', '', `ldap_simple_bind() failed with server down (try ${failures + 1})`)
    }
    this.#drop()
    return { code, reason }
  }

  async #search(
    lease: PooledConnection,
    { filter: text, ...search }: Omit<SearchRequest, 'filter' | 'dereference'> & { readonly filter: string },
  ): Promise<Searched> {
    const filter = encodeFilter(text)
    if (filter === null) return { code: RESULT.filterError, entries: [], count: 0 }
    const whole: SearchRequest = { ...search, filter, dereference: this.#target.dereference }
    const result = await connectionOf(lease).search(whole, KEPT, this.#rules.operationTimeout)
    return continueSearch(this.#rules.referrals, whole, result, KEPT)
  }
}

/** One entry is wanted; a second shows that there are more. */
const KEPT = 2

/** Marks a failure after which an operation is tried again. */
interface Attempt {
  readonly retry?: true
}

interface SubgroupQuestion {
  readonly url: string
  readonly attribute: string
  readonly value: string
  readonly subgroups: LdapSubgroups
  /** The level at which each group was looked at. */
  readonly seen: Map<string, number>
}

const COMPARED: ReadonlyMap<number, { readonly asked: string; readonly cached: string }> = new Map([
  [RESULT.compareTrue, { asked: 'Comparison true (adding to cache)', cached: 'Comparison true (cached)' }],
  [RESULT.compareFalse, { asked: 'Comparison false (adding to cache)', cached: 'Comparison false (cached)' }],
  [
    RESULT.noSuchAttribute,
    { asked: 'Comparison no such attribute (adding to cache)', cached: 'Comparison no such attribute (cached)' },
  ],
])

const SAME_TEXT: LdapOutcome = { code: RESULT.compareTrue, reason: 'DN Comparison TRUE (direct strcmp())' }
const OTHER_TEXT: LdapOutcome = { code: RESULT.compareFalse, reason: 'DN Comparison FALSE (direct strcmp())' }

function comparisonKey(dn: string, attribute: string, value: string): string {
  return JSON.stringify([dn, attribute, value])
}

function failureOf(code: number, failures: Failures): (LdapOutcome & Attempt) | null {
  switch (code) {
    case RESULT.success:
      return null
    case RESULT.serverDown:
      return { retry: true, code, reason: failures.serverDown }
    case RESULT.timeout:
      return { retry: true, code, reason: failures.timeout }
    default:
      return { code, reason: failures.other }
  }
}

function userOf({ dn, attributes }: LdapEntry, names: readonly string[]): LdapUser {
  return { dn, values: names.map((name) => textOf(attributes.get(name.toLowerCase()))) }
}

/** OpenLDAP's library finds no values of an attribute if one of them is no text. */
function textOf(values: readonly string[] | undefined): string | null {
  return values === undefined || values.some((value) => value.includes('\0')) ? null : values.join('; ')
}

/** Only to be called after `#open`. */
function connectionOf({ connection }: PooledConnection): LdapConnection {
  if (connection === null) throw new Error('a lease without a connection')
  return connection
}

function whenKnown<T, R>(known: MaybePromise<T>, act: (known: T) => MaybePromise<R>): MaybePromise<R> {
  return known instanceof Promise ? known.then(act) : act(known)
}

function timedOut(connection: 'new' | 'reused'): string {
  return `ldap_simple_bind() timed out on ${connection} connection, dropped by firewall?`
}
