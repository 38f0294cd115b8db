import { DECLINED, HTTP_FORBIDDEN, type ModuleHost, type Outcome, type Request } from '@gatewright/api'
import type { SectionSettings, ServerSettings, VerifyMode } from '../settings.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import type { TakenConnection } from './tls-connection.ts'

/**
 * SSLVerifyClient of the sections and the host of a request, where it demands more than the handshake did. A
 * connection cannot ask for a certificate afterwards, so that such a request is refused.
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
    const ofServer = this.#settingsOf(request)?.authentication.verifyClient
    const wanted = this.#host.configOf(request).verifyClient ?? ofServer ?? 'none'
    if (strictness(wanted) <= strictness(taken.verifyMode)) return DECLINED
    const { log } = this.#host
    if (taken.view.protocol === 'TLSv1.3') {
      log.write(request, 'error', 'AH10158', 'cannot perform post-handshake authentication')
    } else {
      log.write(request, 'error', 'AH02261', 'Re-negotiation handshake failed')
    }
    return HTTP_FORBIDDEN
  }
}

/** OpenSSL's modes: ask for nothing, ask for a certificate, insist on one. */
function strictness(mode: VerifyMode): number {
  if (mode === 'none') return 0
  return mode === 'require' ? 2 : 1
}
