import { DECLINED, HTTP_FORBIDDEN, type ModuleHost, type Outcome, type Request } from '@gatewright/api'
import { ciphersIn } from '../cipher-set.ts'
import type { SectionSettings, ServerSettings, VerifyMode } from '../settings.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import type { SecuredConnection, TakenConnection } from './tls-connection.ts'
import { DEFAULT_DEPTH } from './verify-client.ts'

/** OpenSSL's modes: ask for nothing, ask for a certificate, require one. */
const NONE = 0
const REQUIRE = 2

/**
 * SSLVerifyClient, SSLVerifyDepth and SSLCipherSuite of the sections and the host of a request. A request that
 * demands more than the handshake of its connection gave is refused.
 */
export class ClientDemand {
  readonly #host: ModuleHost<SectionSettings, ServerSettings>
  readonly #settingsOf: (request: Request) => EffectiveSettings | undefined

  constructor(
    host: ModuleHost<SectionSettings, ServerSettings>,
    settingsOf: (request: Request) => EffectiveSettings | undefined,
  ) {
    this.#host = host
    this.#settingsOf = settingsOf
  }

  check(request: Request, taken: TakenConnection | undefined): Outcome {
    if (taken === undefined || taken.kind === 'plain') return DECLINED
    const isModern = taken.view.protocol === 'TLSv1.3'
    if (!isModern && this.#wantsOtherCipher(request, taken)) return this.#refuse(request, isModern)
    return this.#wantsVerification(request, taken) ? this.#refuse(request, isModern) : DECLINED
  }

  #wantsOtherCipher(request: Request, { server, view }: SecuredConnection): boolean {
    const ofHost = request.server === server ? undefined : this.#settingsOf(request)?.authentication.cipherList
    const list = this.#host.configOf(request).cipherList ?? ofHost
    return list !== undefined && !ciphersIn(list).has(view.cipher)
  }

  #wantsVerification(request: Request, { verifyMode, verifyDepth }: SecuredConnection): boolean {
    const ofFolder = this.#host.configOf(request)
    const ofServer = this.#settingsOf(request)?.authentication
    // A section can make the mode of its host stricter, but not less strict.
    const wanted = Math.max(strictness(ofFolder.verifyClient), strictness(ofServer?.verifyClient))
    if (wanted === NONE) return false
    if (wanted > strictness(verifyMode)) return true
    return (ofFolder.verifyDepth ?? ofServer?.verifyDepth ?? DEFAULT_DEPTH) < verifyDepth
  }

  #refuse(request: Request, isModern: boolean): Outcome {
    const { log } = this.#host
    if (isModern) {
      log.write(request, 'error', 'AH10158', 'cannot perform post-handshake authentication')
      request.notes.set('error-notes', 'This page demands a client certificate, which this connection cannot ask for.')
    } else {
      log.write(request, 'error', 'AH02261', 'Re-negotiation handshake failed')
    }
    return HTTP_FORBIDDEN
  }
}

function strictness(mode: VerifyMode | undefined): number {
  if (mode === undefined || mode === 'none') return NONE
  return mode === 'require' ? REQUIRE : 1
}
