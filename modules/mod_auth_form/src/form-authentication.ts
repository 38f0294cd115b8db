import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_MOVED_TEMPORARILY,
  HTTP_UNAUTHORIZED,
  isExpressionError,
  M_POST,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  type Text,
} from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { parseBasicCredentials } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { FormConfig } from './config.ts'
import { basicAuthorization, type Credentials, isOfSite } from './credentials.ts'
import type { LoginForms, PostedForm } from './form-login.ts'
import type { FormSessions } from './form-session.ts'
import type { PasswordCheck } from './password-check.ts'

/** The handler that serves the request which a form asks for. */
export const REDIRECT_HANDLER = 'form-redirect-handler'

/** Redirects to the page of a directive. */
export function redirectTo(
  request: Request,
  location: Text,
  { log }: Pick<ModuleHost<FormConfig, undefined>, 'log'>,
  { code, what, status }: { readonly code: string; readonly what: string; readonly status: Outcome },
): Outcome {
  let url: string
  try {
    url = location.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', code, `Can't evaluate ${what} expression: ${error.message}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  // As in httpd, which sends no empty field.
  if (url !== '') request.headersOut.set('Location', url)
  return status
}

/** AuthType form: authenticates by the session, or by a form that was posted to the page itself. */
export class FormAuthentication {
  readonly #host: ModuleHost<FormConfig, undefined>
  readonly #sessions: FormSessions
  readonly #forms: LoginForms
  readonly #passwords: PasswordCheck

  constructor(
    host: ModuleHost<FormConfig, undefined>,
    {
      sessions,
      forms,
      passwords,
    }: { readonly sessions: FormSessions; readonly forms: LoginForms; readonly passwords: PasswordCheck },
  ) {
    this.#host = host
    this.#sessions = sessions
    this.#forms = forms
    this.#passwords = passwords
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    const { functions, log } = this.#host
    const type = functions.get(authTypeOf)?.(request) ?? null
    if (type === null || type.toLowerCase() !== 'form') return DECLINED
    if (request.proxyRequest === 'forward') {
      const what = 'form auth cannot be used for proxy requests due to XSS risk, access denied'
      log.write(request, 'error', 'AH01809', `${what}: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    if (this.#sessions.realmOf(request) === null) {
      log.write(request, 'error', 'AH01810', `need AuthName: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    request.authType = type
    return this.#authenticate(request)
  }

  async #authenticate(request: Request): Promise<Outcome> {
    const known = await this.#byWhatIsKnown(request)
    const isPosted = request.methodNumber === M_POST && request.main === null && request.prev === null
    if (known !== HTTP_UNAUTHORIZED || !isPosted) return this.#conclude(request, known, null)
    const form = await this.#forms.read(request)
    this.#replaceBody(request, typeof form === 'number' ? null : form)
    if (typeof form === 'number') return this.#conclude(request, form, null)
    const outcome = await this.#byForm(request, form)
    return outcome === HTTP_MOVED_TEMPORARILY ? outcome : this.#conclude(request, outcome, outcome === OK ? null : form.location)
  }

  /** By what an earlier request of this client's request found, or by the session. 401 if neither will do. */
  async #byWhatIsKnown(request: Request): Promise<Outcome> {
    const { sitePassphrase } = this.#host.configOf(request)
    const noted = this.#forms.noted(request)
    if (noted !== null && noted.credentials.user !== '' && noted.credentials.password !== '') {
      request.user = noted.credentials.user
      return this.#verify(request, noted.credentials)
    }
    const { user, password, site } = await this.#sessions.read(request)
    if (user !== null && user !== '') request.user = user
    if (user === null || password === null) return this.#byQuestion(request)
    if (site !== null && sitePassphrase !== undefined && isOfSite(user, site, sitePassphrase)) {
      this.#fakeBasic(request, { user, password })
      return OK
    }
    return this.#verify(request, { user, password })
  }

  /** An explanation has no session: the credentials of its question stand for those of a form that was sent. */
  #byQuestion(request: Request): MaybePromise<Outcome> {
    const field = request.tracer === null ? undefined : request.headersIn.get('Authorization')
    const credentials = field === undefined ? null : parseBasicCredentials(field)
    if (credentials === null) return HTTP_UNAUTHORIZED
    traceDirective(request, 'AuthFormProvider', null, 'checks the credentials of the question, in place of a session or a form')
    request.user = credentials.user
    return this.#verify(request, credentials)
  }

  async #byForm(request: Request, { credentials, location }: PostedForm): Promise<Outcome> {
    if (credentials === null) return HTTP_UNAUTHORIZED
    const outcome = await this.#verify(request, credentials)
    if (outcome !== OK) return outcome
    await this.#sessions.write(request, credentials)
    if (location !== null) {
      request.headersOut.set('Location', location)
      return HTTP_MOVED_TEMPORARILY
    }
    const { loginSuccess } = this.#host.configOf(request)
    if (loginSuccess === undefined) return OK
    return redirectTo(request, loginSuccess, this.#host, {
      code: 'AH02339',
      what: 'login success',
      status: HTTP_MOVED_TEMPORARILY,
    })
  }

  async #verify(request: Request, credentials: Credentials): Promise<Outcome> {
    const outcome = await this.#passwords.verify(request, credentials)
    if (outcome === OK) this.#fakeBasic(request, credentials)
    return outcome
  }

  #fakeBasic(request: Request, credentials: Credentials): void {
    if (this.#host.configOf(request).fakeBasic !== true) return
    request.headersIn.set('Authorization', basicAuthorization(credentials))
  }

  /**
   * The form has been read: handlers and backends get the body that it contains, or none. With another method in the form, a
   * handler of this module serves the page by a request of that method.
   */
  #replaceBody(request: Request, form: PostedForm | null): void {
    if (form !== null && form.body !== null && form.mimetype !== null) {
      request.headersIn.set('Content-Type', form.mimetype)
      request.keptBody = Buffer.from(form.body, 'latin1')
    } else {
      request.keptBody = new Uint8Array()
    }
    if (form !== null && form.method !== null && form.method !== request.method) request.handler = REDIRECT_HANDLER
  }

  /** What becomes of a refusal: the login page, the page that the form names, or the status. */
  #conclude(request: Request, outcome: Outcome, location: string | null): Outcome {
    const { loginRequired, disableNoStore } = this.#host.configOf(request)
    if (outcome === HTTP_UNAUTHORIZED && loginRequired !== undefined) {
      return redirectTo(request, loginRequired, this.#host, {
        code: 'AH02340',
        what: 'login required',
        status: HTTP_MOVED_TEMPORARILY,
      })
    }
    if (location !== null) {
      request.headersOut.set('Location', location)
      return HTTP_MOVED_TEMPORARILY
    }
    if (outcome === HTTP_UNAUTHORIZED && disableNoStore !== true) forbidStoring(request)
    return outcome
  }
}

/** Browsers must not keep what a login form answers, which they would send again. */
export function forbidStoring(request: Request): void {
  request.headersOut.add('Cache-Control', 'no-store')
  request.errHeadersOut.add('Cache-Control', 'no-store')
}
