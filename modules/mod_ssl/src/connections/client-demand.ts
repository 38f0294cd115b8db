import {
  type Connection,
  DECLINED,
  HTTP_FORBIDDEN,
  type MaybePromise,
  type ModuleHost,
  type Outcome,
  type Request,
  type Slot,
} from '@gatewright/api'
import { ciphersIn } from '../cipher-set.ts'
import { checkStatus, needsStatus } from '../ocsp/check-client.ts'
import { OPT_RENEGOTIATE } from '../options.ts'
import type { AuthenticationSettings, SectionSettings, ServerSettings, VerifyMode } from '../settings.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import { BodyBuffer } from './body-buffer.ts'
import { logVerification } from './log-verification.ts'
import { SessionView } from './session-view.ts'
import { STRICTNESS, type Strictness, strictnessOf } from './strictness.ts'
import type { SecuredConnection, TakenConnection } from './tls-connection.ts'
import { type ClientRules, DEFAULT_DEPTH, GENEROUS, judgeClient, type RefusedClient, TRUSTED_RESULT } from './verify-client.ts'

/** What ClientDemand is made of. */
export interface ClientDemandParts {
  readonly host: ModuleHost<SectionSettings, ServerSettings>
  readonly connections: Slot<Connection, TakenConnection>
  settingsOf(request: Request): EffectiveSettings | undefined
}

/** What a request demands of its connection. */
interface Demand {
  readonly strictness: Strictness
  readonly rules: ClientRules
  /** The list in force afterwards. */
  readonly cipherList: string | undefined
  /** The list that the request names; undefined for none. */
  readonly ownList: string | undefined
  readonly bufferSize: number | undefined
  /** The connection was negotiated with the authorities of another server than that of the request. */
  readonly hasOtherAuthorities: boolean
}

/** A certificate that was judged, and the connection as it is seen with it. */
type Judged =
  | { readonly isAccepted: true; readonly view: SessionView }
  | { readonly isAccepted: false; readonly view: SessionView; readonly verdict: RefusedClient }

/** In which way a demand is to be met: not at all, by another handshake, or by judging the same certificate again. */
type Need = 'nothing' | 'handshake' | 'judgement'

const HTTP_2 = 2000
const NO_BUFFER_12 = ['AH02257', 'could not buffer message body to allow SSL renegotiation to proceed'] as const
const OTHER_AUTHORITIES =
  "Non-default virtual host with SSLVerify set to 'require' and VirtualHost-specific CA certificate list is only available to clients with TLS server name indication (SNI) support"
const NO_BUFFER_13 = ['AH10228', 'could not buffer message body to allow TLS Post-Handshake Authentication to proceed'] as const

/**
 * SSLVerifyClient, SSLVerifyDepth and SSLCipherSuite of the sections and the host of a request, where they
 * demand more than the connection has. Connections of TLS 1.2 are negotiated again; in TLS 1.3 the request is
 * refused, because Node cannot ask for certificates after the handshake.
 */
export class ClientDemand {
  readonly #parts: ClientDemandParts
  readonly #bodies: BodyBuffer

  constructor(parts: ClientDemandParts) {
    this.#parts = parts
    this.#bodies = new BodyBuffer(parts.host.log)
  }

  check(request: Request): MaybePromise<Outcome> {
    const taken = this.#parts.connections.get(request.connection)
    if (taken === undefined || taken.kind === 'plain') return DECLINED
    this.#bodies.pass(request)
    const isModern = taken.view.protocol === 'TLSv1.3'
    // Most requests, for which nothing is worth making.
    if (isModern && this.#strictnessOf(request) === STRICTNESS.none) return DECLINED
    const demand = this.#demandOf(request, taken)
    return isModern ? this.#checkModern(request, taken, demand) : this.#checkClassic(request, taken, demand)
  }

  /** Whether the sections or the host of a request refuse clients without certificate. */
  demandsCertificate(request: Request): boolean {
    return this.#strictnessOf(request) === STRICTNESS.require
  }

  /** A section makes the mode of its host stricter, but never less strict. */
  #strictnessOf(request: Request): Strictness {
    const ofHost = this.#parts.settingsOf(request)?.authentication.verifyClient
    return stricter(strictnessOf(this.#parts.host.configOf(request).verifyClient), strictnessOf(ofHost))
  }

  #demandOf(request: Request, { server, prepared, rules }: SecuredConnection): Demand {
    const folder = this.#parts.host.configOf(request)
    const ofHost = this.#parts.settingsOf(request)?.authentication
    const ownList = folder.cipherList ?? (request.server === server ? undefined : ofHost?.cipherList)
    return {
      strictness: this.#strictnessOf(request),
      rules: {
        verifyClient: modeOf(folder.verifyClient, ofHost?.verifyClient),
        excusesNothing: folder.verifyClient === 'none',
        verifyDepth: folder.verifyDepth ?? ofHost?.verifyDepth ?? DEFAULT_DEPTH,
        prepared,
      },
      cipherList: ownList ?? rules.cipherList,
      ownList,
      bufferSize: folder.renegotiationBuffer,
      hasOtherAuthorities: request.server !== server && hasOtherAuthorities(prepared, ofHost),
    }
  }

  #checkModern(request: Request, { rules }: SecuredConnection, demand: Demand): MaybePromise<Outcome> {
    const { strictness, rules: wanted } = demand
    if (strictness <= rules.strictness) {
      if (wanted.verifyDepth >= rules.verifyDepth) return DECLINED
      this.#debug(request, 'AH10128', 'Reduced client verification depth will force renegotiation')
    }
    // The client asks again, with its body.
    if (request.version >= HTTP_2) return forbidOverHttp2(request)
    const filled = this.#bodies.fill(request, demand.bufferSize, NO_BUFFER_13)
    const refuse = (outcome: Outcome): Outcome => (outcome === DECLINED ? this.#refuseModern(request) : outcome)
    return filled instanceof Promise ? filled.then(refuse) : refuse(filled)
  }

  #refuseModern(request: Request): Outcome {
    this.#log(request, 'error', 'AH10158', 'cannot perform post-handshake authentication')
    request.notes.set('error-notes', 'This page demands a client certificate, which this connection cannot ask for.')
    return HTTP_FORBIDDEN
  }

  #checkClassic(request: Request, taken: SecuredConnection, demand: Demand): MaybePromise<Outcome> {
    const { rules, view } = taken
    if (demand.ownList !== undefined && ciphersIn(demand.ownList).size === 0) {
      this.#log(request, 'warn', 'AH02253', 'Unable to reconfigure (per-directory) permitted SSL ciphers')
      return HTTP_FORBIDDEN
    }
    // httpd forgets OpenSSL's reason before each request, so that only its own generosity is left.
    if (view.verifyResult !== TRUSTED_RESULT) taken.view = view.withResult(GENEROUS)
    const need = this.#needOf(request, taken, demand)
    if (need === 'handshake' && request.version >= HTTP_2) return forbidOverHttp2(request)
    if (need === 'nothing') {
      rules.strictness = demand.strictness
      rules.cipherList = demand.cipherList
      return DECLINED
    }
    if (demand.hasOtherAuthorities && demand.strictness === STRICTNESS.require) {
      this.#log(request, 'error', 'AH02256', OTHER_AUTHORITIES)
      return HTTP_FORBIDDEN
    }
    return this.#meet(request, taken, demand, need)
  }

  #needOf(request: Request, { rules, view }: SecuredConnection, { strictness, rules: wanted, ownList }: Demand): Need {
    const { bits } = this.#parts.host.configOf(request).options
    const isOptimized = (bits & OPT_RENEGOTIATE) !== 0
    if (ownList !== undefined && ownList !== rules.cipherList) {
      const permitted = ciphersIn(ownList)
      if (isOptimized ? !permitted.has(view.cipher) : !areSame(permitted, ciphersIn(rules.cipherList))) {
        this.#debug(request, 'AH02220', 'Reconfigured cipher suite will force renegotiation')
        return 'handshake'
      }
    }
    if (strictness > rules.strictness) {
      const isKnown = isOptimized && rules.strictness === STRICTNESS.none && view.clientCertificate !== null
      this.#debug(request, 'AH02255', `Changed client verification type will force ${isKnown ? 'quick ' : ''}renegotiation`)
      return isKnown ? 'judgement' : 'handshake'
    }
    if (strictness !== STRICTNESS.none && wanted.verifyDepth < rules.verifyDepth) {
      this.#debug(request, 'AH02254', 'Reduced client verification depth will force renegotiation')
      return 'handshake'
    }
    return 'nothing'
  }

  async #meet(request: Request, taken: SecuredConnection, demand: Demand, need: Need): Promise<Outcome> {
    if (need === 'handshake') {
      const filled = await this.#bodies.fill(request, demand.bufferSize, NO_BUFFER_12)
      if (filled !== DECLINED) return filled
    }
    this.#log(request, 'info', 'AH02221', 'Requesting connection re-negotiation')
    const isDone =
      need === 'handshake' ? await this.#negotiate(request, taken, demand) : await this.#judge(request, taken, demand)
    if (!isDone) return HTTP_FORBIDDEN
    const { clientCertificate, verifyResult, cipher } = taken.view
    if (demand.strictness === STRICTNESS.require) {
      const missing = clientCertificate === null
      if (missing || verifyResult !== TRUSTED_RESULT) {
        const [code, reason] = missing ? ['AH02263', 'Client certificate missing'] : ['AH02262', 'Client verification failed']
        this.#log(request, 'error', code, `Re-negotiation handshake failed: ${reason}`)
        return HTTP_FORBIDDEN
      }
    }
    if (demand.ownList !== undefined && !ciphersIn(demand.ownList).has(cipher)) {
      const text = `SSL cipher suite not renegotiated: access to ${request.filename} denied using cipher ${cipher}`
      this.#log(request, 'error', 'AH02264', text)
      return HTTP_FORBIDDEN
    }
    const { rules } = taken
    rules.strictness = demand.strictness
    rules.verifyDepth = demand.rules.verifyDepth
    rules.cipherList = demand.cipherList
    return DECLINED
  }

  /** @returns false after a failure, with the connection closed */
  async #negotiate(request: Request, taken: SecuredConnection, demand: Demand): Promise<boolean> {
    // What came before it could otherwise count as that of the client who is known after it.
    if (request.connection.hasUnusedInput) {
      const text = 'insecure SSL re-negotiation required, but a pipelined request is present; keepalive disabled'
      this.#log(request, 'error', 'AH02259', text)
      request.errHeadersOut.set('Connection', 'close')
    }
    const how = 'complete handshake protocol (client does support secure renegotiation)'
    this.#debug(request, 'AH02260', `Performing full renegotiation: ${how}`)
    this.#log(request, 'info', 'AH02226', 'Awaiting re-negotiation handshake')
    taken.view.readServer()
    const ended = await taken.handshakes.renegotiate({
      asksForCertificate: demand.strictness !== STRICTNESS.none,
      requiresCertificate: demand.strictness === STRICTNESS.require,
      cipherList: demand.cipherList,
      timeout: request.server.timeout,
    })
    const judged = ended ? await this.#judged(request, taken, demand) : null
    if (judged !== null && !judged.isAccepted) logVerification(this.#parts.host.log, request.connection, judged.verdict)
    if (judged?.isAccepted === true) {
      taken.view = judged.view
      return true
    }
    this.#log(request, 'error', 'AH02261', 'Re-negotiation handshake failed')
    taken.refusedIn = request
    // As in httpd, the result is known, and the certificate is not.
    if (judged !== null) taken.view = taken.view.withoutClient(judged.view.verifyResult)
    taken.socket.destroy()
    taken.logAbort()
    return false
  }

  /**
   * Judges the certificate that the connection has by now. httpd refuses it only where one is required; a certificate that
   * nobody trusts would then make users where one is optional, so it is refused there as well.
   * @returns true if the request may continue, or is refused for the result
   */
  async #judge(request: Request, taken: SecuredConnection, demand: Demand): Promise<boolean> {
    const { isAccepted, view } = await this.#judged(request, taken, demand)
    taken.view = view
    if (!isAccepted) this.#log(request, 'error', 'AH02224', 'Re-negotiation verification step failed')
    return isAccepted || demand.strictness === STRICTNESS.require
  }

  async #judged(request: Request, taken: SecuredConnection, { rules, hasOtherAuthorities }: Demand): Promise<Judged> {
    const { socket, view } = taken
    const first = judgeClient(socket, rules)
    const { log } = this.#parts.host
    const verdict = needsStatus(rules.prepared, first) ? await checkStatus(rules.prepared, first, request.connection, log) : first
    if (verdict.accepted) {
      const result = hasOtherAuthorities ? GENEROUS : verdict.result
      return { isAccepted: true, view: new SessionView(socket, view.serverName, verdict.chain, result) }
    }
    const refused = new SessionView(socket, view.serverName, verdict.chain, verdict.error.message)
    // As in httpd, the section does not end the handshake, but a host that requires a certificate refuses this one.
    if (rules.excusesNothing === true && verdict.tooLong === null) return { isAccepted: true, view: refused }
    return { isAccepted: false, view: refused, verdict }
  }

  #debug(request: Request, code: string, text: string): void {
    this.#parts.host.log.write(request, 'debug', code, text)
  }

  #log(request: Request, level: 'info' | 'warn' | 'error', code: string, text: string): void {
    this.#parts.host.log.write(request, level, code, text)
  }
}

/** HTTP/2 permits no further handshake; its module makes of this that the client asks again over HTTP/1.1. */
function forbidOverHttp2(request: Request): Outcome {
  request.notes.set('ssl-renegotiate-forbidden', 'verify-client')
  return HTTP_FORBIDDEN
}

/** SSLVerifyClient of a section, or of its host if the section asks for nothing. */
function modeOf(ofFolder: VerifyMode | undefined, ofHost: VerifyMode | undefined): VerifyMode {
  return ofFolder === undefined || ofFolder === 'none' ? (ofHost ?? 'none') : ofFolder
}

/** SSLCACertificate*: a connection keeps those of the server that it was negotiated with. */
function hasOtherAuthorities({ settings }: PreparedServer, wanted: Readonly<AuthenticationSettings> | undefined): boolean {
  const { caFile, caPath } = settings.authentication
  return (wanted?.caFile ?? caFile) !== caFile || (wanted?.caPath ?? caPath) !== caPath
}

function stricter(one: Strictness, other: Strictness): Strictness {
  return one > other ? one : other
}

function areSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name))
}
