import {
  DECLINED,
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  type Outcome,
  type Request,
  type Server,
} from '@gatewright/api'
import { ALL_PROTOCOLS } from '../protocol-versions.ts'
import type { ServerSettings } from '../settings.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import type { SecuredConnection, TakenConnection } from './tls-connection.ts'

const PLAIN_NOTE = 'This port expects TLS, but the request came without it. Use an address that begins with https://.'
const SNI_NOTE = 'Your browser did not name the site when it opened the connection (SNI), which this server requires.'

const HTTP_MISDIRECTED_REQUEST: Outcome = httpStatus(421)

type Policy = NonNullable<ServerSettings['process']['sniPolicy']>

/** Which hosts requests on a connection may be for, once SNI and Host have chosen one each. */
export class HostRules {
  readonly #log: ModuleLog
  readonly #settingsOf: (server: Server) => EffectiveSettings | undefined
  readonly #policy: () => Policy
  readonly #isUnavailable: (server: Server) => boolean

  /** @param isUnavailable whether a server has no certificate but one that makes handshakes possible */
  constructor(
    log: ModuleLog,
    settingsOf: (server: Server) => EffectiveSettings | undefined,
    policy: () => Policy,
    isUnavailable: (server: Server) => boolean,
  ) {
    this.#log = log
    this.#settingsOf = settingsOf
    this.#policy = policy
    this.#isUnavailable = isUnavailable
  }

  check(request: Request, taken: TakenConnection | undefined): Outcome {
    if (taken === undefined) return DECLINED
    if (taken.kind === 'plain') {
      // The request was refused; this one is for its ErrorDocument.
      if (request.prev !== null) return DECLINED
      request.notes.set('error-notes', PLAIN_NOTE)
      return HTTP_BAD_REQUEST
    }
    if (this.#isUnavailable(taken.server)) return HTTP_SERVICE_UNAVAILABLE
    const { serverName } = taken.view
    if (serverName !== null && request.hostname === '') {
      const text = `Hostname ${serverName} provided via SNI, but no hostname provided in HTTP request`
      this.#log.write(request, 'error', 'AH02031', text)
      return HTTP_BAD_REQUEST
    }
    if (serverName === null && (this.#isStrict(taken.server) || this.#isStrict(request.server))) {
      this.#log.write(request, 'info', 'AH02033', 'No hostname was provided via SNI for a name based virtual host')
      request.notes.set('error-notes', SNI_NOTE)
      return HTTP_FORBIDDEN
    }
    return this.#checkServers(request, taken)
  }

  #checkServers(request: Request, { server, view: { serverName } }: SecuredConnection): Outcome {
    if (request.server === server) return DECLINED
    const policy = this.#policy()
    const [ofSni, ofHost] = [this.#settingsOf(server), this.#settingsOf(request.server)]
    if (policy !== 'strict' && ofSni !== undefined && ofHost !== undefined && areCompatible(ofSni, ofHost, policy))
      return DECLINED
    const sni =
      serverName === null ? `${server.serverName} (default host as no SNI was provided)` : `${serverName} provided via SNI`
    const text = `Hostname ${sni} and hostname ${request.hostname} provided via HTTP have no compatible SSL setup for policy '${policy}'`
    this.#log.write(request, 'error', 'AH02032', text)
    return HTTP_MISDIRECTED_REQUEST
  }

  #isStrict(server: Server): boolean {
    return this.#settingsOf(server)?.server.strictSniCheck === true
  }
}

function areCompatible(one: EffectiveSettings, other: EffectiveSettings, policy: Exclude<Policy, 'strict'>): boolean {
  if (policy === 'insecure') return true
  if (!isSame(authenticationOf(one), authenticationOf(other))) return false
  return policy === 'authonly' || isSame(encryptionOf(one), encryptionOf(other))
}

function authenticationOf({ authentication, server }: EffectiveSettings): unknown {
  const { verifyClient = 'none', verifyDepth, caFile, caPath } = authentication
  const { requestedNamesFile, requestedNamesPath, crlFile, crlPath, crlCheck, confCommands, ocsp } = server
  return [
    [verifyClient, verifyDepth, caFile, caPath, requestedNamesFile, requestedNamesPath, crlFile, crlPath],
    [crlCheck?.whose, crlCheck?.missingIsFine, confCommands.map(({ name, value }) => [name, value])],
    Object.entries(ocsp).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]
}

function encryptionOf({ authentication, server }: EffectiveSettings): unknown {
  const { cipherList, cipherSuites } = authentication
  return [cipherList, cipherSuites, server.protocols ?? ALL_PROTOCOLS, server.certificateFiles, server.keyFiles]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
