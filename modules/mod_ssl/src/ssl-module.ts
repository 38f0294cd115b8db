import { type Connection, DECLINED, defineModule, type Module, type Request, registerLogItem } from '@gatewright/api'
import {
  answerChallenge,
  chooseProtocol,
  connectionTls,
  extendStatusLater,
  outgoingTls,
  schemeOf,
  type TlsView,
  tlsServerOf,
  tlsValueOf,
} from '@gatewright/api/peers'
import { AccessCheck } from './access/check-access.ts'
import { setEnvironment } from './access/environment.ts'
import { expressionNames, requestValue } from './access/expression-names.ts'
import { addLogItems } from './access/log-items.ts'
import { requireSsl, requireVerifiedClient } from './access/require.ts'
import type { VariableSources } from './access/tls-variables.ts'
import { CertificateUsers } from './access/users.ts'
import { Certificates } from './certificates.ts'
import { challengeContext } from './connections/challenge-context.ts'
import { ClientDemand } from './connections/client-demand.ts'
import { type AidSources, handshakeAids } from './connections/handshake-aids.ts'
import { HostRules } from './connections/host-rules.ts'
import { SecureContexts } from './connections/secure-contexts.ts'
import { SessionCache } from './connections/session-cache.ts'
import { sessionStatus } from './connections/session-status.ts'
import type { TakenConnection } from './connections/tls-connection.ts'
import { TlsLayer } from './connections/tls-layer.ts'
import { directives } from './directives/index.ts'
import { addLintRules } from './lint/rules.ts'
import { createSectionSettings, createServerSettings, mergeSectionSettings, mergeServerSettings } from './merge.ts'
import { Stapling } from './ocsp/stapling.ts'
import { LEGACY_DN_STRING_FORMAT } from './options.ts'
import type { SectionSettings, ServerSettings } from './settings.ts'
import { dumpCertificates, dumpExpiry } from './start/dump-certificates.ts'
import { type PreparedServers, prepareServers } from './start/prepare-servers.ts'
import { StartRefused } from './start/start-refused.ts'
import { tlsServer } from './start/tls-server.ts'

/**
 * mod_ssl.
 * @param assumed what is known of connections that the module did not secure itself, for tests of access rules
 */
export function sslModule(
  assumed: (connection: Connection) => TlsView | null = notSecured,
): Module<SectionSettings, ServerSettings> {
  return defineModule<SectionSettings, ServerSettings>({
    name: 'ssl_module',
    source: 'mod_ssl.c',
    capabilities: ['child-process', 'fs', 'net'],
    perDirectory: { create: createSectionSettings, merge: mergeSectionSettings },
    perServer: { create: createServerSettings, merge: mergeServerSettings },
    directives,
    register(host) {
      const { hooks, providers, functions, configOf } = host
      let prepared: PreparedServers | null = null
      let aidSources: AidSources = { sessions: null, stapling: null }
      const connections = host.connectionSlot<TakenConnection>()
      const tlsOf = (connection: Connection): TlsView | null => {
        const taken = connections.get(connection)
        if (taken === undefined) return assumed(connection)
        return taken.kind === 'secured' ? taken.view : null
      }
      const refusedIn = ({ connection }: Request): Request | null => {
        const taken = connections.get(connection)
        return taken?.kind === 'secured' ? taken.refusedIn : null
      }
      const viewOf = (request: Request): TlsView | null => {
        const refused = refusedIn(request)
        return refused === null || refused === request ? tlsOf(request.connection) : null
      }
      const sources: VariableSources = {
        viewOf,
        certificates: new Certificates(),
        hasLegacyNames: (request) => (configOf(request).options.bits & LEGACY_DN_STRING_FORMAT) !== 0,
      }
      const loggedSources: VariableSources = {
        ...sources,
        viewOf: (request) => (refusedIn(request) === null ? viewOf(request) : null),
      }

      providers.authz.add('ssl', requireSsl(viewOf))
      providers.authz.add('ssl-verify-client', requireVerifiedClient(viewOf))
      providers.expressionNames.add('mod_ssl', expressionNames(sources))
      addLintRules(host)
      hooks.preConfig.add(() => {
        const register = functions.get(registerLogItem)
        if (register !== undefined) addLogItems(register, (request, name) => requestValue(loggedSources, request, name))
      })
      functions.offer(tlsValueOf, (request, name) => requestValue(sources, request, name))
      functions.offer(schemeOf, (server) => (prepared?.settings.get(server)?.isOn === true ? 'https' : null))

      host.optionalHooks.add(extendStatusLater, async (_request, form) => {
        if (prepared === null || prepared.sessionStore === null) return ''
        return sessionStatus(prepared.sessionCacheName, await prepared.sessionStore.figures(), form)
      })

      hooks.testConfig.add((start) => {
        dumpExpiry(host, start, Date.now())
        dumpCertificates(host, start)
      })
      hooks.postConfig.add(async (start) => {
        try {
          prepared = await prepareServers(host, start)
          const { sessionStore, stapleStore } = prepared
          aidSources = {
            sessions: sessionStore === null ? null : new SessionCache(sessionStore),
            stapling: stapleStore === null ? null : new Stapling(stapleStore, host.log),
          }
          return undefined
        } catch (error) {
          // It is in the error log.
          if (error instanceof StartRefused) return ''
          throw error
        }
      })
      functions.offer(connectionTls, tlsOf)
      functions.offer(outgoingTls, (request, hostname) => prepared?.outgoing.for(request, hostname) ?? null)
      functions.offer(tlsServerOf, (server) => tlsServer(prepared?.servers.get(server)))
      const contexts = new SecureContexts(host.services.rotatingSecrets('mod_ssl.c'))
      const layer = new TlsLayer({
        prepared: () => prepared,
        contexts,
        connections,
        log: host.log,
        chooseProtocol: (connection, server, { serverName = null, protocols }) => {
          const choose = functions.get(chooseProtocol)
          return choose === undefined ? null : choose(connection, server, serverName, protocols)
        },
        aids: (server, hello) => handshakeAids(server, hello, aidSources),
        challengeContext: (connection, protocol, hello) =>
          challengeContext(host.optionalHooks.of(answerChallenge), host.log, { connection, protocol, hello }),
      })
      providers.connectionLayers.add('mod_ssl', layer)
      const rules = new HostRules(
        host.log,
        (server) => prepared?.settings.get(server),
        () => prepared?.sniPolicy ?? 'secure',
        (server) => prepared?.servers.get(server)?.isUnavailable === true,
      )
      hooks.postReadRequest.add((request) => rules.check(request, connections.get(request.connection)), { rank: 'first' })
      const users = new CertificateUsers(host, sources)
      const demand = new ClientDemand({ host, connections, settingsOf: ({ server }) => prepared?.settings.get(server) })
      const access = new AccessCheck(
        host,
        viewOf,
        (request) => demand.check(request),
        (request) => users.setUser(request),
        (request) => demand.demandsCertificate(request),
      )
      hooks.accessChecker.add((request) => access.check(request), { decidesBy: 'configuration' })
      hooks.checkUserId.add(
        (request) => {
          const again = access.checkAgain(request)
          return again === DECLINED ? users.fakeCredentials(request) : again
        },
        { rank: 'first', decidesBy: 'configuration' },
      )
      hooks.authChecker.add((request) => access.checkAgain(request), { decidesBy: 'configuration' })
      hooks.fixups.add((request) => setEnvironment(request, host, sources))
    },
  })
}

function notSecured(): null {
  return null
}
