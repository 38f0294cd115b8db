import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_MOVED_TEMPORARILY,
  HTTP_OK,
  HTTP_UNAUTHORIZED,
  httpStatus,
  M_POST,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  type Slot,
  type SubResponse,
} from '@gatewright/api'
import type { FormConfig } from './config.ts'
import { forbidStoring, REDIRECT_HANDLER, redirectTo } from './form-authentication.ts'
import type { LoginForms } from './form-login.ts'
import type { FormSessions } from './form-session.ts'
import type { PasswordCheck } from './password-check.ts'

const LOGIN_HANDLER = 'form-login-handler'
const LOGOUT_HANDLER = 'form-logout-handler'

const HTTP_TEMPORARY_REDIRECT: Outcome = httpStatus(307)

/** The three handlers of forms. */
export class FormHandlers {
  readonly #host: ModuleHost<FormConfig, undefined>
  readonly #sessions: FormSessions
  readonly #forms: LoginForms
  readonly #passwords: PasswordCheck
  /** Requests whose page was made by a request with another method. */
  readonly #replaced: Slot<Request, true>

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
    this.#replaced = host.requestSlot()
  }

  handle(request: Request): MaybePromise<Outcome> {
    switch (request.handler) {
      case LOGIN_HANDLER:
        return this.#login(request)
      case LOGOUT_HANDLER:
        return this.#logout(request)
      case REDIRECT_HANDLER:
        return this.#redirect(request)
      default:
        return DECLINED
    }
  }

  async #login(request: Request): Promise<Outcome> {
    const { log } = this.#host
    if (request.methodNumber !== M_POST) {
      log.write(request, 'error', 'AH01811', `the ${LOGIN_HANDLER} only supports the POST method for ${request.uri}`)
      request.allowed = new Set(['POST'])
      return HTTP_METHOD_NOT_ALLOWED
    }
    const { loginSuccess, loginRequired } = this.#host.configOf(request)
    const outcome = await this.#logIn(request)
    if (outcome === OK && loginSuccess !== undefined) {
      return redirectTo(request, loginSuccess, this.#host, {
        code: 'AH02341',
        what: 'login success',
        status: HTTP_MOVED_TEMPORARILY,
      })
    }
    if (outcome === OK) return HTTP_OK
    if (outcome === HTTP_UNAUTHORIZED && loginRequired !== undefined) {
      return redirectTo(request, loginRequired, this.#host, {
        code: 'AH02342',
        what: 'login required',
        status: HTTP_MOVED_TEMPORARILY,
      })
    }
    return outcome
  }

  /** Verifies the form, and keeps the login. */
  async #logIn(request: Request): Promise<Outcome> {
    const noted = this.#forms.noted(request)
    const form = noted === null ? await this.#forms.read(request) : { credentials: noted.credentials, location: null }
    if (typeof form === 'number') return form
    if (form.credentials === null) return HTTP_UNAUTHORIZED
    const outcome = await this.#passwords.verify(request, form.credentials)
    if (outcome !== OK) return outcome
    await this.#sessions.write(request, form.credentials)
    if (form.location === null) return OK
    request.headersOut.set('Location', form.location)
    return HTTP_MOVED_TEMPORARILY
  }

  async #logout(request: Request): Promise<Outcome> {
    await this.#sessions.write(request, null)
    forbidStoring(request)
    const { logout } = this.#host.configOf(request)
    if (logout === undefined) return HTTP_OK
    return redirectTo(request, logout, this.#host, { code: 'AH02343', what: 'logout', status: HTTP_TEMPORARY_REDIRECT })
  }

  /** Serves the page by a request with the method and the body that the form contained. */
  async #redirect(request: Request): Promise<Outcome> {
    const { log } = this.#host
    const noted = this.#forms.noted(request)
    if (request.keptBody === null || noted === null || noted.method === null || noted.mimetype === null) {
      const what = 'internal redirect requested but one or all of method, mimetype or body are NULL'
      log.write(request, 'error', 'AH01813', `${what}: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const { method, mimetype } = noted
    const what = `internal redirect to method '${method}' and body mimetype '${mimetype}' for the uri: ${request.uri}`
    log.write(request, 'debug', 'AH01812', what)
    const sub = await request.lookupUri(request.uri, method)
    this.#replaced.set(request, true)
    return respondWith(request, await sub.run())
  }

  /** httpd logs no status for a page that was made by a request with another method. */
  hideStatus(request: Request): void {
    if (this.#replaced.get(request) === true && request.status === 200) request.status = 0
  }
}

function respondWith(request: Request, { status, contentType, body }: SubResponse): Outcome {
  if (status >= 400) return httpStatus(status)
  request.status = status
  if (contentType !== null) request.contentType = contentType
  return request.respond(body)
}
