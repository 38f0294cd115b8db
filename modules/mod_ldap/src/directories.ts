import type { ModuleHost, Request } from '@gatewright/api'
import type { LdapSession, LdapTarget } from '@gatewright/api/peers'
import { LdapConnection, RESULT } from '@gatewright/ldap'
import { GuardedServers } from '@gatewright/store-client'
import type { AnswerCache } from './answer-cache.ts'
import { ConnectionPool } from './connection-pool.ts'
import { DirectorySession } from './directory-session.ts'
import { openConnection, type ServerDown } from './open-connection.ts'
import type { LdapSectionSettings, LdapServerSettings, Security } from './settings.ts'
import { tlsOptions } from './tls-options.ts'
import type { TrustedFile } from './trusted-file.ts'

/** That of OpenLDAP's library. */
const DEFAULT_HOP_LIMIT = 5

/** All directories that the configuration names: their connections and the cache of their answers. */
export class Directories {
  readonly pool: ConnectionPool = new ConnectionPool()
  /** Null until the configuration has been read, and if nothing is remembered. */
  cache: AnswerCache | null = null
  readonly #host: ModuleHost<LdapSectionSettings, LdapServerSettings>
  /** Leave servers alone that do not answer. */
  readonly guarded: GuardedServers
  /** Options of TLS by the files that they are made of. */
  readonly #tls = new Map<string, ReturnType<typeof tlsOptions>>()

  constructor(host: ModuleHost<LdapSectionSettings, LdapServerSettings>) {
    this.#host = host
    this.guarded = new GuardedServers(host.services, host.log, {
      kind: 'ldap',
      source: 'util_ldap.c',
      meanwhile: 'meanwhile other servers are asked, or logins fail at once',
    })
  }

  /** Opens a session for one request. */
  session(request: Request, target: LdapTarget): LdapSession {
    const { serverConfigOf, configOf, log } = this.#host
    const server = serverConfigOf(request.server)
    const section = configOf(request)
    const security = target.security ?? server.security ?? 'none'
    const files = [...server.trusted, ...section.clientCertificates]
    const open = (hosts: string, port: number, how: Security) => this.#open(request, server, files, hosts, port, how)
    const hopLimit = section.referrals === false ? 0 : (section.hopLimit ?? DEFAULT_HOP_LIMIT)
    // Sections with the same servers, aliases and certificates share connections.
    const clients = section.clientCertificates.map(({ path }) => path)
    const place = JSON.stringify([target.hosts, target.port, security, target.dereference, ...clients])
    return new DirectorySession(
      {
        request,
        log,
        pool: this.pool,
        poolKey: { target, place },
        poolTtl: server.poolTtl ?? Number.POSITIVE_INFINITY,
        cache: this.cache,
        retries: server.retries,
        retryDelay: server.retryDelay,
        operationTimeout: server.operationTimeout,
        referrals: {
          hopLimit,
          operationTimeout: server.operationTimeout,
          open: async (host, port, isSecured) => {
            // As with OpenLDAP's library: a connection by TLS leads to no other without it.
            const how = isSecured ? 'ssl' : security
            return bound(await open(host, port, how), target, server.operationTimeout)
          },
        },
        open: () => open(target.hosts, target.port, security),
      },
      target,
    )
  }

  async #open(
    request: Request,
    server: Readonly<LdapServerSettings>,
    files: readonly TrustedFile[],
    hosts: string,
    port: number,
    security: Security,
  ): Promise<LdapConnection | ServerDown> {
    const opened = await openConnection({
      hosts,
      port,
      security,
      connectTimeout: server.connectionTimeout,
      operationTimeout: server.operationTimeout,
      guarded: this.guarded,
      tls: () => this.#tlsOptions(files, server.verifies),
    })
    // What httpd's library keeps to itself; without it nobody knows what is wrong with a certificate.
    if (!(opened instanceof LdapConnection)) {
      this.#host.log.write(request, 'debug', '', `LDAP: no connection: ${opened.detail}`)
    }
    return opened
  }

  #tlsOptions(files: readonly TrustedFile[], verifies: boolean): ReturnType<typeof tlsOptions> {
    const key = JSON.stringify([verifies, ...files.map(({ kind, path }) => [kind, path])])
    let options = this.#tls.get(key)
    if (options === undefined) {
      options = tlsOptions(files, verifies)
      this.#tls.set(key, options)
    }
    return options
  }
}

/** Binds a connection to a server that was found by a referral as the account by which the first one was asked. */
async function bound(
  opened: LdapConnection | ServerDown,
  { bindDn, bindPassword }: LdapTarget,
  timeout: number,
): Promise<LdapConnection | ServerDown> {
  if (!(opened instanceof LdapConnection)) return opened
  const { code, message } = await opened.bind(bindDn ?? '', bindPassword ?? '', timeout)
  if (code === RESULT.success) return opened
  opened.close()
  return { code, reason: 'LDAP: ldap_simple_bind() failed', isFinal: true, detail: message }
}
