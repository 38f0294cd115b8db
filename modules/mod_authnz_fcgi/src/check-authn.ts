import {
  credentialsField,
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  httpStatus,
  isExpressionError,
  type ModuleHost,
  noteBasicChallenge,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { parseBasicCredentials } from '@gatewright/api/text'
import type { Answer } from './answer.ts'
import type { Authorizer } from './authorizer.ts'
import type { CheckConfig, DefinedAuthorizers } from './config.ts'

const WHERE = 'fcgi_check_authn'

/** AuthnzFcgiCheckAuthnProvider: an authorizer finds out who the user is, in place of a module for an AuthType. */
export class AuthorizerLogin {
  readonly #host: ModuleHost<CheckConfig, DefinedAuthorizers>
  readonly #authorizerOf: (name: string) => Authorizer | undefined

  constructor(host: ModuleHost<CheckConfig, DefinedAuthorizers>, authorizerOf: (name: string) => Authorizer | undefined) {
    this.#host = host
    this.#authorizerOf = authorizerOf
  }

  async check(request: Request, name: string): Promise<Outcome> {
    const { requireBasic = false } = this.#host.configOf(request)
    const authorizer = this.#authorizerOf(name)
    if (authorizer === undefined) {
      this.#host.log.write(request, 'error', 'AH02518', `${WHERE}: can't find config for provider ${name}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const password = this.#passwordOf(request)
    if (typeof password === 'number' && requireBasic) return password
    const answer = await authorizer.ask(request, 'AUTHENTICATOR', typeof password === 'string' ? password : null)
    if (answer === 'not asked') return HTTP_UNAUTHORIZED
    if (answer?.head.status !== 200) return this.#refused(request, answer)
    return this.#takeUser(request)
  }

  /** The password of Basic authentication; the status of a request without one; null for another AuthType. */
  #passwordOf(request: Request): string | Outcome | null {
    const { functions, log } = this.#host
    const type = functions.get(authTypeOf)?.(request) ?? null
    if (type?.toLowerCase() !== 'basic') return null
    const realm = functions.get(authNameOf)?.(request) ?? null
    if (realm === null) {
      log.write(request, 'error', 'AH00572', `need AuthName: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const field = credentialsField(request)
    const credentials = field === undefined ? null : parseBasicCredentials(field)
    if (credentials === null) {
      if (field !== undefined) {
        log.write(request, 'error', 'AH00573', `client used wrong authentication scheme: ${request.uri}`)
      }
      noteBasicChallenge(request, realm)
      return HTTP_UNAUTHORIZED
    }
    request.user = credentials.user
    request.authType = type
    return credentials.password
  }

  /** Where the authorizer is not authoritative, other modules may know the user. */
  #refused(request: Request, answer: Answer | null): Outcome {
    const { authoritative = true } = this.#host.configOf(request)
    const body = answer?.body ?? ''
    if (!authoritative) {
      if (body !== '') {
        const what = 'Ignoring response body from non-authoritative authorizer'
        this.#host.log.write(request, 'warn', 'AH02522', `${WHERE}: ${what}`)
      }
      return DECLINED
    }
    const status = answer?.head.status ?? 0
    if (status < 300 || status > 599) return HTTP_INTERNAL_SERVER_ERROR
    if (body !== '') request.customResponse = { status: httpStatus(status), text: body }
    return httpStatus(status)
  }

  #takeUser(request: Request): Outcome {
    const { userExpression, defaultUser } = this.#host.configOf(request)
    if (userExpression === undefined) return OK
    const { log } = this.#host
    try {
      const user = userExpression.of(request)
      if (user !== '') request.user = user
      else if (defaultUser !== undefined) request.user = defaultUser
      else {
        const what = 'user expression yielded empty string (variable not set?)'
        log.write(request, 'error', 'AH02520', `${WHERE}: Failure extracting user after calling authorizer: ${what}`)
      }
      return OK
    } catch (error) {
      if (!isExpressionError(error)) throw error
      log.write(request, 'error', 'AH02521', `${WHERE}: Failure extracting user after calling authorizer: ${error.message}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
  }
}
