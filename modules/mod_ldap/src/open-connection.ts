import type { ConnectionOptions } from 'node:tls'
import { hostsIn, LdapConnection, type LdapEndpoint, RESULT } from '@gatewright/ldap'
import type { GuardedServers } from '@gatewright/store-client'
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

/** Opens a connection to the first of the servers that accepts one, and secures it. */
export async function openConnection(servers: Servers): Promise<LdapConnection | ServerDown> {
  const { security, connectTimeout, operationTimeout } = servers
  let tls: ConnectionOptions | null = null
  try {
    if (security !== 'none') tls = servers.tls()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { code: RESULT.connectError, reason: 'LDAP: ldap_simple_bind() failed', isFinal: true, detail }
  }
  let detail = 'no host'
  for (const { host, port } of hostsIn(servers.hosts, servers.port)) {
    const opened = await openGuarded(servers.guarded, { host, port, connectTimeout, tls: security === 'ssl' ? tls : null })
    if (typeof opened === 'string') {
      detail = `${host}:${port}: ${opened}`
      continue
    }
    if (security !== 'starttls' || tls === null) return opened
    const { code, message } = await opened.startTls(tls, operationTimeout)
    if (code === RESULT.success) return opened
    return { code, reason: 'LDAP: ldap_start_tls_s() failed', isFinal: true, detail: `${host}:${port}: ${message}` }
  }
  return { code: RESULT.serverDown, reason: 'LDAP: ldap_simple_bind() failed', isFinal: false, detail }
}

/** A server that keeps silent is not asked for a moment. @returns what failed */
async function openGuarded(guarded: GuardedServers, endpoint: LdapEndpoint): Promise<LdapConnection | string> {
  const title = `LDAP server ${endpoint.host}:${endpoint.port}`
  try {
    return await guarded.breaker(title, isSilence).attempt(async () => {
      const opened = await LdapConnection.open(endpoint)
      if (opened instanceof LdapConnection) return opened
      throw opened.code === RESULT.timeout ? new Silence(opened.message) : new Error(opened.message)
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A server did not answer in time. */
class Silence extends Error {
  override readonly name = 'Silence'
}

function isSilence(error: Error): boolean {
  return error instanceof Silence
}
