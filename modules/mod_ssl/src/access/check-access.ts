import {
  DECLINED,
  HTTP_FORBIDDEN,
  isExpressionError,
  type MaybePromise,
  type ModuleHost,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import { STRICT_REQUIRE } from '../options.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'

/** Set where SSLRequireSSL or SSLRequire refused a request; SSLOptions +StrictRequire looks at it. */
const FORBIDDEN_NOTE = 'ssl-access-forbidden'

/** SSLRequireSSL and SSLRequire. */
export class AccessCheck {
  readonly #host: ModuleHost<SectionSettings, ServerSettings>
  readonly #viewOf: (request: Request) => TlsView | null
  readonly #demand: (request: Request) => MaybePromise<Outcome>
  readonly #setUser: (request: Request) => void
  readonly #demandsCertificate: (request: Request) => boolean

  /**
   * @param demand asks for a certificate of the client, between both checks
   * @param setUser sets the user by it
   * @param demandsCertificate whether a client without one is refused
   */
  constructor(
    host: ModuleHost<SectionSettings, ServerSettings>,
    viewOf: (request: Request) => TlsView | null,
    demand: (request: Request) => MaybePromise<Outcome>,
    setUser: (request: Request) => void,
    demandsCertificate: (request: Request) => boolean,
  ) {
    this.#host = host
    this.#demand = demand
    this.#setUser = setUser
    this.#viewOf = viewOf
    this.#demandsCertificate = demandsCertificate
  }

  check(request: Request): MaybePromise<Outcome> {
    const { requireSsl } = this.#host.configOf(request)
    if (this.#viewOf(request) === null) {
      if (request.connection.foreignScheme === 'https') return this.#checkForeign(request)
      // Requirements are not checked in the clear, as httpd has it: SSLRequireSSL is what refuses there.
      return requireSsl ? this.#forbid(request, 'AH02219', 'SSL connection required') : DECLINED
    }
    const demanded = this.#demand(request)
    if (!(demanded instanceof Promise)) return this.#afterDemand(request, demanded)
    return demanded.then((outcome) => this.#afterDemand(request, outcome))
  }

  /** The server that asks has secured the connection. Its ciphers and certificates are not known here, so nobody fulfils a demand. */
  #checkForeign(request: Request): Outcome {
    const { requirements, cipherList } = this.#host.configOf(request)
    if (requirements.length === 0 && cipherList === undefined && !this.#demandsCertificate(request)) return DECLINED
    return this.#forbid(
      request,
      '',
      'SSLVerifyClient, SSLRequire and SSLCipherSuite cannot be met by a connection of another server',
    )
  }

  #afterDemand(request: Request, demanded: Outcome): Outcome {
    if (demanded !== DECLINED) return demanded
    this.#setUser(request)
    for (const { source, condition } of this.#host.configOf(request).requirements) {
      let holds = false
      try {
        holds = condition.test(request)
      } catch (error) {
        if (!isExpressionError(error)) throw error
        const { log } = this.#host
        log.write(
          request,
          'error',
          'AH02265',
          `access to ${request.filename} failed, reason: Failed to execute SSL requirement expression: ${error.message}`,
        )
        request.notes.set(FORBIDDEN_NOTE, '1')
        return HTTP_FORBIDDEN
      }
      if (holds) continue
      const { log } = this.#host
      log.write(
        request,
        'info',
        'AH02266',
        `Access to ${request.filename} denied for ${request.useragentAddress} (requirement expression not fulfilled)`,
      )
      log.write(request, 'info', 'AH02228', `Failed expression: ${source}`)
      return this.#forbid(request, 'AH02229', 'SSL requirement expression not fulfilled')
    }
    return DECLINED
  }

  /** SSLOptions +StrictRequire: what was refused stays so, whatever grants access in another way. */
  checkAgain(request: Request): Outcome {
    if ((this.#host.configOf(request).options.bits & STRICT_REQUIRE) === 0) return DECLINED
    return request.notes.get(FORBIDDEN_NOTE) === undefined ? DECLINED : HTTP_FORBIDDEN
  }

  #forbid(request: Request, code: string, reason: string): Outcome {
    this.#host.log.write(request, 'error', code, `access to ${request.filename} failed, reason: ${reason}`)
    request.notes.set(FORBIDDEN_NOTE, '1')
    return HTTP_FORBIDDEN
  }
}
