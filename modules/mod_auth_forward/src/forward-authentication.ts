import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  httpStatus,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  type Slot,
} from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { isByteText } from '@gatewright/api/text'
import { askShown, traceDirective } from '@gatewright/api/tracing'
import { askedFields, originalOf } from './asked-fields.ts'
import { type ForwardConfig, STANDARD_TIMEOUT, STANDARD_USER_FIELD } from './config.ts'
import { type Grant, GrantCache } from './grant-cache.ts'
import type { IdentityFields } from './identity-fields.ts'
import { type FieldPair, Service, type ServiceAnswer } from './service.ts'

/** Fields of a refusal that its client needs. */
const PASSED_ON = /^(?:location|www-authenticate|set-cookie|retry-after)$/i

/** AuthType Forward: a service decides who the client is. */
export class ForwardAuthentication {
  readonly #host: ModuleHost<ForwardConfig, undefined>
  readonly #identity: IdentityFields
  readonly #service = new Service()
  readonly #cache = new GrantCache()
  readonly #granted: Slot<Request, true>

  constructor(host: ModuleHost<ForwardConfig, undefined>, identity: IdentityFields) {
    this.#host = host
    this.#identity = identity
    this.#granted = host.requestSlot<true>()
    host.onEnd(() => this.#service.end())
  }

  /** Whether the service has admitted the client. A request that shares the decision about another one is not asked about. */
  isGranted(request: Request): boolean {
    return this.#granted.get(request) === true
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    if ((this.#host.functions.get(authTypeOf)?.(request) ?? '').toLowerCase() !== 'forward') return DECLINED
    const config = this.#host.configOf(request)
    if (config.url === undefined) {
      this.#log(request, `AuthType Forward needs AuthForwardURL: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    return this.#ask(request, config, config.url)
  }

  async #ask(request: Request, config: Readonly<ForwardConfig>, url: URL): Promise<Outcome> {
    const { copy = [], timeout = STANDARD_TIMEOUT } = config
    // An explanation asks again, and is not remembered.
    const cache = request.tracer === null ? (config.cache ?? 0) : 0
    const fields = askedFields(request)
    const key = cache > 0 ? this.#cache.keyOf(url, fields, [...copy, config.userField ?? STANDARD_USER_FIELD]) : ''
    const known = cache > 0 ? this.#cache.get(key, performance.now()) : undefined
    if (known !== undefined) return this.#admit(request, copy, known)
    let answer: ServiceAnswer | null
    try {
      const { method, unparsedUri } = originalOf(request)
      answer = await askShown(request, {
        of: `the service ${url.href}`,
        question: `${method} ${request.scheme}://${request.headersIn.get('Host') ?? request.serverName()}${unparsedUri}`,
        ask: () => this.#service.ask(url, fields, timeout),
        shown: ({ status }) => `status ${status}`,
      })
    } catch (error) {
      this.#log(
        request,
        `the service ${url.href} of AuthForwardURL failed: ${error instanceof Error ? error.message : String(error)}`,
      )
      return HTTP_INTERNAL_SERVER_ERROR
    }
    if (answer === null) {
      traceDirective(request, 'AuthForwardURL', null, 'is not asked; a refusal is assumed')
      return HTTP_UNAUTHORIZED
    }
    const { status } = answer
    if (status >= 200 && status <= 299) return this.#take(request, config, answer, { key, cache })
    if (status === 401 || status === 403 || isRedirect(answer)) {
      passOn(request, answer.fields)
      request.refusedBy = 'forward'
      request.errHeadersOut.set('Cache-Control', 'no-store')
      return httpStatus(status)
    }
    this.#log(request, `the service ${url.href} of AuthForwardURL answered ${status}, which is not 2xx, 401, 403 or a redirect`)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  #take(
    request: Request,
    config: Readonly<ForwardConfig>,
    { fields }: ServiceAnswer,
    { key, cache }: { readonly key: string; readonly cache: number },
  ): Outcome {
    const { copy = [], userField = STANDARD_USER_FIELD } = config
    const values = new Map<string, string>()
    for (const name of [...copy, userField]) {
      const found = fields.filter(([sent]) => sent.toLowerCase() === name.toLowerCase())
      if (found.length === 0) continue
      const [[, value]] = found
      if (found.length > 1 || !isByteText(value) || /[\0-\x1f\x7f]/.test(value)) {
        this.#log(request, `the service of AuthForwardURL sent ${name} twice, or with bytes that are not allowed`)
        return HTTP_INTERNAL_SERVER_ERROR
      }
      values.set(name.toLowerCase(), value)
    }
    const grant: Grant = { user: values.get(userField.toLowerCase()) ?? '', values }
    passOn(
      request,
      fields.filter(([name]) => name.toLowerCase() === 'set-cookie'),
    )
    const setsCookie = fields.some(([name]) => name.toLowerCase() === 'set-cookie')
    if (cache > 0 && !setsCookie) this.#cache.set(key, grant, performance.now() + cache)
    return this.#admit(request, copy, grant)
  }

  #admit(request: Request, copy: readonly string[], { user, values }: Grant): Outcome {
    this.#identity.replace(request, copy, values)
    this.#granted.set(request, true)
    request.user = user
    request.authType = 'Forward'
    return OK
  }

  #log(request: Request, text: string): void {
    this.#host.log.write(request, 'error', '', text)
  }
}

/** 304 and others do not lead anywhere. */
function isRedirect({ status, fields }: ServiceAnswer): boolean {
  const leads = status === 301 || status === 302 || status === 303 || status === 307 || status === 308
  return leads && fields.some(([name]) => name.toLowerCase() === 'location')
}

function passOn(request: Request, fields: readonly FieldPair[]): void {
  for (const [name, value] of fields) {
    if (PASSED_ON.test(name) && isByteText(value) && !/[\0-\x08\x0a-\x1f\x7f]/.test(value)) request.errHeadersOut.add(name, value)
  }
}
