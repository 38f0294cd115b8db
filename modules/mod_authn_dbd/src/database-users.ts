import { randomBytes } from 'node:crypto'
import {
  type AuthnProvider,
  type AuthnStatus,
  type DatabaseRows,
  isDatabaseUnavailable,
  type ModuleHost,
  type Request,
} from '@gatewright/api'
import { databaseOf, storeCredentials } from '@gatewright/api/peers'
import { askShown, rowsText, statementQuestion } from '@gatewright/api/tracing'
import type { AuthnDbdConfig } from './config.ts'
import { takeFirst } from './variables.ts'

/** A database may return more rows than anybody needs. */
const MOST_ROWS = 100

/** Codes of a query's messages. */
interface Codes {
  readonly directive: string
  readonly unavailable: string
  readonly unset: string
  readonly unprepared: string
  readonly failed: string
}
const PASSWORD: Codes = {
  directive: 'AuthDBDUserPWQuery',
  unavailable: 'AH01653',
  unset: 'AH01654',
  unprepared: 'AH01655',
  failed: 'AH01656',
}
const REALM: Codes = {
  directive: 'AuthDBDUserRealmQuery',
  unavailable: 'AH01658',
  unset: 'AH01659',
  unprepared: 'AH01660',
  failed: 'AH01661',
}

/** The authentication provider `dbd`. */
export class DatabaseUsers implements AuthnProvider {
  readonly decidesBy = 'configuration'
  readonly #host: ModuleHost<AuthnDbdConfig, undefined>
  /** The hash that was found last for a query, by the query: as expensive as those of other users. */
  readonly #decoys = new Map<string, string>()

  constructor(host: ModuleHost<AuthnDbdConfig, undefined>) {
    this.#host = host
  }

  async checkPassword(request: Request, user: string, password: string): Promise<AuthnStatus> {
    const { functions, services } = this.#host
    const query = this.#host.configOf(request).passwordQuery
    const found = await this.#find(request, query, [user], user, PASSWORD)
    // A password that was not checked is a wrong one.
    if (found.status === 'not-asked') return 'denied'
    if (found.status !== 'found') return found.status
    const { hash } = found
    if (query !== undefined) this.#keepDecoy(query, hash)
    functions.get(storeCredentials)?.(request, { provider: 'dbd', user, realm: null, hash })
    return (await services.verifyPassword(hash, password, request, () => this.#decoys.get(query ?? ''))) ? 'granted' : 'denied'
  }

  decoy(request: Request): string | undefined {
    return this.#decoys.get(this.#host.configOf(request).passwordQuery ?? '')
  }

  async realmHash(request: Request, user: string, realm: string): Promise<string> {
    const query = this.#host.configOf(request).realmQuery
    const found = await this.#find(request, query, [user, realm], `${user}:${realm}`, REALM)
    if (found.status === 'not-asked') return randomBytes(16).toString('hex')
    if (found.status !== 'found') return found.status
    this.#host.functions.get(storeCredentials)?.(request, { provider: 'dbd', user, realm, hash: found.hash })
    return found.hash
  }

  async #find(
    request: Request,
    query: string | undefined,
    values: readonly string[],
    subject: string,
    codes: Codes,
  ): Promise<
    { readonly status: 'found'; readonly hash: string } | { readonly status: 'not-found' | 'general-error' | 'not-asked' }
  > {
    const fail = (code: string, text: string): { readonly status: 'general-error' } => {
      this.#host.log.write(request, 'error', code, text)
      return { status: 'general-error' }
    }
    if (query === undefined) return fail(codes.unset, `No ${codes.directive} has been specified`)
    const database = this.#host.functions.get(databaseOf)?.(request.server)
    if (database === undefined || !database.has(labelOf(query))) {
      const text = `A prepared statement could not be found for ${codes.directive} with the key '${labelOf(query)}'`
      return fail(codes.unprepared, text)
    }
    let rows: DatabaseRows | null
    try {
      rows = await askShown(request, {
        ...statementQuestion(database.driver, query, values),
        ask: () => database.select(labelOf(query), values, MOST_ROWS),
        shown: rowsText,
      })
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        return fail(codes.unavailable, `Failed to acquire database connection to look up user '${subject}'`)
      }
      return fail(codes.failed, `Query execution error looking up '${subject}' in database [${messageOf(error)}]`)
    }
    if (rows === null) return { status: 'not-asked' }
    const hash = takeFirst(request, rows)
    return hash === null ? { status: 'not-found' } : { status: 'found', hash }
  }

  #keepDecoy(query: string, hash: string): void {
    const former = this.#decoys.get(query)
    if (former === hash) return
    const costliest = this.#host.services.costliestHash(former === undefined ? [hash] : [former, hash])
    if (costliest !== undefined) this.#decoys.set(query, costliest)
  }
}

/** The label of a query: sections with the same query share a statement. */
export function labelOf(query: string): string {
  return `authn_dbd ${query}`
}

/** The database's message as byte string. */
function messageOf(error: unknown): string {
  return Buffer.from(error instanceof Error ? error.message : String(error), 'utf8').toString('latin1')
}
