import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  httpStatus,
  isExpressionError,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
  type Slot,
} from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { escapeHtml } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { JsonObject } from '@gatewright/tokens'
import { claimFields, encoded } from './claim-fields.ts'
import { missingOf, STANDARD } from './config.ts'
import { type IdentityFields, type IsOurs, nameKey } from './identity-fields.ts'
import { type Logins, type OpenIdParts, respondWith } from './login.ts'
import { page } from './pages.ts'
import { allClaims } from './provider.ts'
import type { TokenRefreshes } from './refreshing.ts'
import type { Session } from './session-store.ts'
import { pageOf } from './urls.ts'

/** A session is written again after this part of its time without use, not at each request. */
const WRITTEN_AFTER = 0.1

/** AuthType openid-connect: a session says who the client is; without one, the provider is asked. */
export class OpenIdAuthentication {
  readonly #parts: OpenIdParts
  readonly #logins: Logins
  readonly #refreshes: TokenRefreshes
  readonly #identity: IdentityFields
  readonly #sessions: Slot<Request, Session>
  /** What happens to a user whom Require refuses. */
  readonly #refusals: Slot<Request, () => Outcome>

  /** The fields of OIDCAuthNHeader anywhere in the configuration: a page without it must not pass one on either. */
  readonly #names = new Set<string>()

  constructor(parts: OpenIdParts, logins: Logins, refreshes: TokenRefreshes, identity: IdentityFields) {
    this.#parts = parts
    this.#logins = logins
    this.#refreshes = refreshes
    this.#identity = identity
    this.#sessions = parts.host.requestSlot<Session>()
    this.#refusals = parts.host.requestSlot()
  }

  /** The claims of the session of a request; undefined without one. */
  claimsOf(request: Request): JsonObject | undefined {
    const session = this.#sessions.get(request)
    return session === undefined ? undefined : allClaims(session)
  }

  isOpenId(request: Request): boolean {
    const type = (this.#parts.host.functions.get(authTypeOf)?.(request) ?? '').toLowerCase()
    return type === 'openid-connect' || type === 'auth-openidc'
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    if (!this.isOpenId(request)) return DECLINED
    const { host } = this.#parts
    const missing = missingOf(host.serverConfigOf(request.server))
    if (missing !== null) {
      host.log.write(request, 'error', '', `AuthType openid-connect needs ${missing} for this server: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    if (request.tracer !== null) {
      traceDirective(
        request,
        'AuthType',
        null,
        'would look for a session and send clients without one to the provider; an explanation has no session',
      )
      return HTTP_UNAUTHORIZED
    }
    return this.#authenticate(request)
  }

  async #authenticate(request: Request): Promise<Outcome> {
    // A sub-request or a redirect is of the same client.
    const before = request.main ?? request.prev
    const known = before === null ? undefined : this.#sessions.get(before)
    const session = known ?? (await this.#load(request))
    if (session === null) return this.#refuse(request)
    this.#sessions.set(request, session)
    request.user = session.user
    request.authType = 'openid-connect'
    this.#pass(request, session)
    await this.#prepareRefusal(request)
    return OK
  }

  async #load(request: Request): Promise<Session | null> {
    const { host, cookies, sessions } = this.#parts
    const id = cookies.session(request)
    if (id === null) return null
    const { inactivityTimeout = STANDARD.inactivityTimeout, persistent = false } = host.serverConfigOf(request.server)
    const passphrase = this.#parts.passphraseOf(request)
    const found = await sessions.find(passphrase, id, inactivityTimeout)
    if (found === null) return null
    const refreshed = this.#refreshes.isDue(request, found) ? await this.#refreshes.refresh(request, id, found) : undefined
    if (refreshed === null) return null
    const { session = found, isNew = false } = refreshed ?? {}
    const now = Date.now()
    if (!isNew && now - session.usedAt < inactivityTimeout * WRITTEN_AFTER) return session
    if (persistent) cookies.setSession(request, id, Math.ceil(Math.min(inactivityTimeout, session.endsAt - now) / 1_000))
    if (isNew) return session
    const used = { ...session, usedAt: now }
    // Nobody waits for it: if another request was quicker, that has noted the use, or has ended the session.
    void sessions.replace(passphrase, id, session, used, inactivityTimeout)
    return used
  }

  #pass(request: Request, session: Session): void {
    const { host, cookies } = this.#parts
    const server = host.serverConfigOf(request.server)
    const config = host.configOf(request)
    const { passClaims = 'both', encoding, authnHeader } = config
    const fields = new Map<string, string>()
    if (passClaims !== 'none') {
      for (const [name, value] of claimFields(session, server, config)) {
        if (passClaims !== 'environment') fields.set(name, encoded(value, encoding, 'field'))
        if (passClaims !== 'headers') request.env.set(name, encoded(value, encoding, 'variable'))
      }
    }
    if (authnHeader !== undefined) fields.set(authnHeader, session.user)
    this.#identity.replace(request, this.oursOf(request), fields)
    cookies.strip(request)
  }

  /** Deletes the fields of a client that this module sets somewhere on this server. */
  clean(request: Request): void {
    this.#identity.clean(request, this.oursOf(request))
  }

  oursOf(request: Request): IsOurs {
    const { host } = this.#parts
    const { claimPrefix = STANDARD.claimPrefix } = host.serverConfigOf(request.server)
    const prefix = nameKey(claimPrefix)
    const names = this.#names
    const { authnHeader } = host.configOf(request)
    const own = authnHeader === undefined ? null : nameKey(authnHeader)
    return (key) => key.startsWith('oidc-') || key.startsWith(prefix) || names.has(key) || key === own
  }

  /** Once, when the configuration is complete. */
  rememberHeaders(names: Iterable<string>): void {
    for (const name of names) this.#names.add(nameKey(name))
  }

  #refuse(request: Request): MaybePromise<Outcome> {
    const action = this.#actionFor(request)
    if (typeof action !== 'string') return action
    if (action === 'pass') {
      // As in mod_auth_openidc: Require valid-user admits this user without a name.
      request.user = ''
      request.authType = 'openid-connect'
      return OK
    }
    return this.#logins.begin(request, pageOf(request, this.#parts.host.serverConfigOf(request.server)))
  }

  #actionFor(request: Request): 'auth' | 'pass' | Outcome {
    const { unauth } = this.#parts.host.configOf(request)
    if (unauth === undefined) return canLogIn(request) ? 'auth' : HTTP_UNAUTHORIZED
    const { action, when } = unauth
    try {
      const applies = when === null ? action !== 'auth' || canLogIn(request) : when.test(request)
      // As in mod_auth_openidc, `auth` with a condition is meant for all requests.
      if (applies || (action === 'auth' && when !== null)) return typeof action === 'number' ? httpStatus(action) : action
      return action === 'auth' ? HTTP_UNAUTHORIZED : 'auth'
    } catch (error) {
      if (!isExpressionError(error)) throw error
      this.#parts.host.log.write(request, 'error', '', `cannot evaluate the condition of OIDCUnAuthAction: ${error.message}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
  }

  /** What a refusal by Require may need: it happens later, where nothing can wait. */
  async #prepareRefusal(request: Request): Promise<void> {
    const { unauthz } = this.#parts.host.configOf(request)
    if (unauthz === undefined) return
    const { action, argument } = unauthz
    if ((action === 401 || action === 403) && argument !== null) {
      request.customResponse = { status: httpStatus(action), text: page('Not allowed', `<p>${escapeHtml(argument)}</p>`) }
    }
    if (action === 302) this.#refusals.set(request, () => respondWith(request, HTTP_UNAUTHORIZED, leadingPage(argument ?? '/')))
    if (action === 'auth' && canLogIn(request)) {
      const endpoint = await this.#logins.endpoint(request).catch(() => null)
      if (endpoint === null) return
      const url = pageOf(request, this.#parts.host.serverConfigOf(request.server))
      this.#refusals.set(request, () => {
        const target = this.#logins.begun(request, endpoint, url, 0)
        return typeof target === 'string' ? respondWith(request, HTTP_UNAUTHORIZED, leadingPage(target)) : target
      })
    }
  }

  /** A 401 is about to be sent: it has no challenge, but perhaps a page that leads on. */
  noteFailure(request: Request, type: string): Outcome {
    if (!/^(?:openid-connect|auth-openidc)$/i.test(type)) return DECLINED
    this.#refusals.get(request)?.()
    return OK
  }
}

/** A page that leads on, because a refusal cannot be a redirect. */
function leadingPage(target: string): string {
  const url = escapeHtml(target)
  return page('Not allowed', `<meta http-equiv="refresh" content="0; url=${url}">\n<p><a href="${url}">Continue</a></p>`)
}

/** Whether a client can follow the way to the provider and back: pictures, scripts and programs cannot. */
export function canLogIn({ headersIn }: Request): boolean {
  if (headersIn.get('X-Requested-With') === 'XMLHttpRequest') return false
  const [mode, destination, accept] = [headersIn.get('Sec-Fetch-Mode'), headersIn.get('Sec-Fetch-Dest'), headersIn.get('Accept')]
  if (mode !== undefined && mode !== 'navigate') return false
  if (destination !== undefined && destination !== 'document') return false
  return accept === undefined ? false : /text\/html|application\/xhtml\+xml|\*\/\*/.test(accept)
}
