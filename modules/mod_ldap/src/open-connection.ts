import type { ConnectionOptions } from 'node:tls'
import { encodeFilter, hostsIn, LdapConnection, type LdapEndpoint, RESULT, type SearchRequest } from '@gatewright/ldap'
import type { Breaker, GuardedServers } from '@gatewright/store-client'
import type { Security } from './settings.ts'

/** Why no server of a target could be reached. */
export interface ServerDown {
  readonly code: number
  /** In the words of httpd's messages. */
  readonly reason: string
  /** True if it does not help to try again. */
  readonly isFinal: boolean
  /** What failed, for the log. */
  readonly detail: string
}

/** Servers of a target. Times are in milliseconds. */
export interface Servers {
  readonly hosts: string
  readonly port: number
  readonly security: Security
  readonly connectTimeout: number
  readonly operationTimeout: number
  /** Leave servers alone that do not answer. */
  readonly guarded: GuardedServers
  /** @throws Error if a file of LDAPTrustedGlobalCert or LDAPTrustedClientCert cannot be used */
  tls(): ConnectionOptions
}

const SIMPLE_BIND = 'LDAP: ldap_simple_bind() failed'

/** Servers that accept connections and answer nothing, by what leaves them alone. */
const mute = new WeakSet<Breaker>()

/** Such a server is left alone. */
class Mute extends Error {}

/** Opens a connection to the first of the servers that accepts one, and secures it. */
export async function openConnection(servers: Servers): Promise<LdapConnection | ServerDown> {
  const { security, connectTimeout, operationTimeout } = servers
  let tls: ConnectionOptions | null = null
  try {
    if (security !== 'none') tls = servers.tls()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { code: RESULT.connectError, reason: SIMPLE_BIND, isFinal: true, detail }
  }
  let detail = 'no host'
  for (const { host, port } of hostsIn(servers.hosts, servers.port)) {
    const endpoint = { host, port, connectTimeout, tls: security === 'ssl' ? tls : null }
    const opened = await openGuarded(servers.guarded, endpoint, operationTimeout)
    // As in httpd, the next server is asked in place of one that cannot be reached, not of one that accepts connections.
    if (opened instanceof Mute) {
      return { code: RESULT.timeout, reason: SIMPLE_BIND, isFinal: true, detail: `${host}:${port}: ${opened.message}` }
    }
    if (typeof opened === 'string') {
      detail = `${host}:${port}: ${opened}`
      continue
    }
    if (security !== 'starttls' || tls === null) return opened
    const { code, message } = await opened.startTls(tls, operationTimeout)
    if (code === RESULT.success) return opened
    return { code, reason: 'LDAP: ldap_start_tls_s() failed', isFinal: true, detail: `${host}:${port}: ${message}` }
  }
  return { code: RESULT.serverDown, reason: SIMPLE_BIND, isFinal: false, detail }
}

/**
 * A server that keeps silent is not asked for a moment, also one that accepts connections and answers nothing: then a
 * harmless question precedes the first login.
 * @returns what failed
 */
async function openGuarded(
  guarded: GuardedServers,
  endpoint: LdapEndpoint,
  operationTimeout: number,
): Promise<LdapConnection | Mute | string> {
  const title = `LDAP server ${endpoint.host}:${endpoint.port}`
  const breaker = guarded.breaker(title, isSilence)
  try {
    return await breaker.attempt(async () => {
      const onSilence = (): void => {
        mute.add(breaker)
        breaker.failedLater(new Silence('it accepts connections, and sent nothing in time'))
      }
      const opened = await LdapConnection.open({ ...endpoint, onSilence })
      if (!(opened instanceof LdapConnection)) {
        mute.delete(breaker)
        throw opened.code === RESULT.timeout ? new Silence(opened.message) : new Error(opened.message)
      }
      if (breaker.figures().state === 'closed') return opened
      const { connectTimeout } = endpoint
      const limit = connectTimeout > 0 && operationTimeout > 0 ? Math.min(connectTimeout, operationTimeout) : connectTimeout
      const { code, message } = await opened.search(ROOT, 0, limit > 0 ? limit : operationTimeout)
      if (code === RESULT.timeout || code === RESULT.serverDown) throw new Silence(message)
      mute.delete(breaker)
      return opened
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return mute.has(breaker) ? new Mute(message) : message
  }
}

/** The entry that every server has, with no attribute. */
const ROOT: SearchRequest = {
  ...{ base: '', scope: 'base', dereference: 'never', attributes: ['1.1'], typesOnly: true },
  filter: encodeFilter('(objectClass=*)') ?? new Uint8Array(),
}

/** A server did not answer in time. */
class Silence extends Error {
  override readonly name = 'Silence'
}

function isSilence(error: Error): boolean {
  return error instanceof Silence
}
