import {
  type AuthnProvider,
  type AuthnStatus,
  askInTurn,
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  HTTP_UNAUTHORIZED,
  isPasswordQueueFull,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  refuseUnknownUser,
} from '@gatewright/api'
import { type FormConfig, STANDARD_NAMES } from './config.ts'
import type { Credentials } from './credentials.ts'

/** Verifies the password of a user with the providers of AuthFormProvider. */
export class PasswordCheck {
  readonly #host: ModuleHost<FormConfig, undefined>

  constructor(host: ModuleHost<FormConfig, undefined>) {
    this.#host = host
  }

  /** OK; 401 or another status that refuses the request; DECLINED for a user that is passed to other modules. */
  async verify(request: Request, { user, password }: Credentials): Promise<Outcome> {
    const { configOf, providers } = this.#host
    const { authoritative = true, providers: listed } = configOf(request)
    const file = providers.authn.get('file')
    const asked = listed ?? (file === undefined ? [] : [file])
    let status: AuthnStatus
    try {
      status = asked.length === 0 ? this.#none(request) : await this.#ask(asked, request, { user, password })
      if (status === 'not-found' && authoritative) await refuseUnknownUser(this.#host.services, asked, request, password)
    } catch (error) {
      if (!isPasswordQueueFull(error)) throw error
      request.errHeadersOut.set('Retry-After', '1')
      return HTTP_SERVICE_UNAVAILABLE
    }
    if (status === 'granted') return OK
    if (!authoritative && status !== 'denied') return DECLINED
    return this.#refused(request, user, status)
  }

  #ask(asked: readonly AuthnProvider[], request: Request, { user, password }: Credentials): MaybePromise<AuthnStatus> {
    return askInTurn(asked, (provider) => provider.checkPassword?.(request, user, password) ?? this.#none(request))
  }

  #none(request: Request): AuthnStatus {
    this.#host.log.write(request, 'error', 'AH01806', 'no authn provider configured')
    return 'general-error'
  }

  #refused(request: Request, user: string, status: AuthnStatus): Outcome {
    const { log } = this.#host
    switch (status) {
      case 'denied':
        log.write(request, 'error', 'AH01807', `user '${user}': authentication failure for "${request.uri}": password Mismatch`)
        break
      case 'not-found':
        log.write(request, 'error', 'AH01808', `user '${user}' not found: ${request.uri}`)
        break
      default:
        return HTTP_INTERNAL_SERVER_ERROR
    }
    this.#noteLocation(request)
    return HTTP_UNAUTHORIZED
  }

  /** httpd takes a name of the Location field that has a colon for a URL, and sends it with refusals. */
  #noteLocation(request: Request): void {
    const location = this.#host.configOf(request).names?.location ?? STANDARD_NAMES.location
    if (location.includes(':')) request.errHeadersOut.set('Location', location)
  }
}
