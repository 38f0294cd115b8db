import {
  type AuthnProvider,
  type AuthnStatus,
  askInTurn,
  credentialsField,
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  isPasswordQueueFull,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { type BasicCredentials, escapeQuotes, parseBasicCredentials } from '@gatewright/api/text'
import { challenge } from './challenge.ts'
import type { BasicConfig } from './config.ts'
import { canHash, checkDigest } from './digest-check.ts'
import { refuseAsKnown } from './unknown-user.ts'

/** True if the effective AuthType is Basic, in any case. */
export function isBasic(type: string | null): type is string {
  return type !== null && type.length === 5 && type.toLowerCase() === 'basic'
}

/** Authenticates requests whose AuthType is Basic, and declines all others. */
export class BasicAuthentication {
  readonly #host: ModuleHost<BasicConfig, undefined>

  constructor(host: ModuleHost<BasicConfig, undefined>) {
    this.#host = host
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    const { functions, log } = this.#host
    const type = functions.get(authTypeOf)?.(request) ?? null
    if (!isBasic(type)) return DECLINED
    if (this.#realm(request) === null) {
      log.write(request, 'error', 'AH01615', `need AuthName: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    request.authType = type

    const header = credentialsField(request)
    if (header === undefined) return challenge(request, this.#realm(request) ?? '')
    const credentials = parseBasicCredentials(header)
    if (credentials === null) {
      log.write(request, 'error', 'AH01614', `client used wrong authentication scheme: ${request.uri}`)
      return challenge(request, this.#realm(request) ?? '')
    }
    request.user = credentials.user
    const realm = this.#realm(request) ?? ''

    const status = this.#statusOf(request, credentials, realm)
    return typeof status === 'string'
      ? this.#outcome(request, credentials, realm, status)
      : this.#later(request, credentials, realm, status)
  }

  #statusOf(request: Request, credentials: BasicCredentials, realm: string): MaybePromise<AuthnStatus> {
    const status = this.#askProviders(request, credentials, realm)
    if (typeof status !== 'string') return status.then((late) => this.#afterDecoy(late, request, credentials))
    return this.#afterDecoy(status, request, credentials)
  }

  /** Refusing an unknown user takes as long as refusing a wrong password. */
  #afterDecoy(status: AuthnStatus, request: Request, { password }: BasicCredentials): MaybePromise<AuthnStatus> {
    if (status !== 'not-found') return status
    const refused = refuseAsKnown(this.#host, request, password)
    return refused === false ? status : refused.then(() => status)
  }

  /**
   * Evaluated again whenever more is known about the request, because AuthName may refer to AUTH_TYPE or
   * REMOTE_USER.
   */
  #realm(request: Request): string | null {
    return this.#host.functions.get(authNameOf)?.(request) ?? null
  }

  /** Queries the providers in order, until one knows the user. */
  #askProviders(request: Request, credentials: BasicCredentials, realm: string): MaybePromise<AuthnStatus> {
    const { configOf, providers } = this.#host
    const listed = configOf(request).providers
    if (listed === undefined) return this.#ask(providers.authn.get('file'), request, credentials, realm)
    return askInTurn(
      listed.map(({ provider }) => provider),
      (provider) => {
        const status = this.#ask(provider, request, credentials, realm)
        // If it fails or never settles, the log names the line.
        if (typeof status !== 'string') request.occupation = listed.find((one) => one.provider === provider)?.description ?? null
        return status
      },
    )
  }

  #ask(
    provider: AuthnProvider | undefined,
    request: Request,
    credentials: BasicCredentials,
    realm: string,
  ): MaybePromise<AuthnStatus> {
    const { configOf, log } = this.#host
    if (provider?.checkPassword === undefined) {
      log.write(request, 'error', 'AH01616', 'No Authn provider configured')
      return 'general-error'
    }
    if (configOf(request).digest !== true) return provider.checkPassword(request, credentials.user, credentials.password)
    if (canHash(provider)) return checkDigest(provider, request, credentials, escapeQuotes(realm))
    log.write(request, 'error', 'AH02493', 'Authn provider does not support AuthBasicUseDigestAlgorithm')
    return 'general-error'
  }

  async #later(request: Request, credentials: BasicCredentials, realm: string, pending: Promise<AuthnStatus>): Promise<Outcome> {
    let status: AuthnStatus
    try {
      status = await pending
      request.occupation = null
    } catch (error) {
      if (!isPasswordQueueFull(error)) throw error
      request.errHeadersOut.set('Retry-After', '1')
      return HTTP_SERVICE_UNAVAILABLE
    }
    return this.#outcome(request, credentials, realm, status)
  }

  #outcome(request: Request, { user }: BasicCredentials, realm: string, status: AuthnStatus): Outcome {
    const { configOf, log } = this.#host
    if (status === 'granted') return OK
    // A wrong password is final; only unknown users and errors can be passed to other modules.
    if (status !== 'denied' && configOf(request).authoritative === false) return DECLINED
    switch (status) {
      case 'denied':
        log.write(request, 'error', 'AH01617', `user ${user}: authentication failure for "${request.uri}": Password Mismatch`)
        return challenge(request, realm)
      case 'not-found':
        log.write(request, 'error', 'AH01618', `user ${user} not found: ${request.uri}`)
        return challenge(request, realm)
      default:
        return HTTP_INTERNAL_SERVER_ERROR
    }
  }
}
