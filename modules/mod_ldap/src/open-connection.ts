import type { ConnectionOptions } from 'node:tls'
import { hostsIn, LdapConnection, RESULT } from '@gatewright/ldap'
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
    const opened = await LdapConnection.open({ host, port, connectTimeout, tls: security === 'ssl' ? tls : null })
    if (!(opened instanceof LdapConnection)) {
      detail = `${host}:${port}: ${opened.message}`
      continue
    }
    if (security !== 'starttls' || tls === null) return opened
    const { code, message } = await opened.startTls(tls, operationTimeout)
    if (code === RESULT.success) return opened
    return { code, reason: 'LDAP: ldap_start_tls_s() failed', isFinal: true, detail: `${host}:${port}: ${message}` }
  }
  return { code: RESULT.serverDown, reason: 'LDAP: ldap_simple_bind() failed', isFinal: false, detail }
}
