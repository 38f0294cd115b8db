import { timingSafeEqual } from 'node:crypto'
import { HTTP_NOT_FOUND, HTTP_UNAUTHORIZED, httpStatus, type MaybePromise, type Outcome, type Request } from '@gatewright/api'
import { publicKeyOf } from './client-keys.ts'
import { STANDARD } from './config.ts'
import { forbidStoring, type Logins, type OpenIdParts, redirect, respondWith } from './login.ts'
import { page, problemPage } from './pages.ts'
import { LoginError } from './provider.ts'
import { printable } from './provider-metadata.ts'
import type { TokenRefreshes } from './refreshing.ts'
import type { Session } from './session-store.ts'
import { isAllowedTarget, originOf, withParameters } from './urls.ts'

/** The longest form that is read, in bytes. */
const LONGEST_FORM = 64 * 1024
const HTTP_BAD_REQUEST = httpStatus(400)
const HTTP_METHOD_NOT_ALLOWED = httpStatus(405)

/** What OIDCRedirectURI serves: the way back from the provider, logouts, and data about the session. */
export class RedirectUri {
  readonly #parts: OpenIdParts
  readonly #logins: Logins
  readonly #refreshes: TokenRefreshes

  constructor(parts: OpenIdParts, logins: Logins, refreshes: TokenRefreshes) {
    this.#parts = parts
    this.#logins = logins
    this.#refreshes = refreshes
  }

  serve(request: Request): MaybePromise<Outcome> {
    const parameters = new URLSearchParams(request.args ?? '')
    const logout = parameters.get('logout')
    if (logout === 'backchannel') return this.#backChannel(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      request.allowed = new Set(['GET'])
      return HTTP_METHOD_NOT_ALLOWED
    }
    if (logout === 'get' || logout === 'img') return this.#frontChannel(request, parameters)
    if (logout !== null) return this.#logout(request, logout)
    if (parameters.has('refresh')) return this.#refresh(request, parameters)
    if (parameters.has('jwks')) return this.#publicKeys(request)
    if (parameters.has('info')) return this.#info(request, parameters.get('info') ?? '')
    if (parameters.has('state') && (parameters.has('code') || parameters.has('error'))) {
      return this.#logins.complete(request, parameters)
    }
    if (parameters.has('iss')) return this.#thirdParty(request, parameters)
    this.#warn(request, 'OIDCRedirectURI was requested without parameters that it knows')
    const { defaultUrl } = this.#parts.host.serverConfigOf(request.server)
    if (defaultUrl !== undefined) return redirect(request, defaultUrl)
    forbidStoring(request)
    return respondWith(
      request,
      HTTP_BAD_REQUEST,
      problemPage('Invalid request', 'This address is for the login service only.', null),
    )
  }

  async #thirdParty(request: Request, parameters: URLSearchParams): Promise<Outcome> {
    try {
      const { issuer } = await this.#parts.providerOf(request).metadata()
      if (parameters.get('iss') === issuer) return await this.#logins.thirdParty(request, parameters)
    } catch (error) {
      return this.#logins.failed(request, error, '/')
    }
    this.#warn(
      request,
      `a login was asked for with the issuer ${printable(parameters.get('iss') ?? '')}, which is not that of the provider`,
    )
    return respondWith(request, HTTP_BAD_REQUEST, problemPage('Login not possible', 'Another login service was asked for.', null))
  }

  async #logout(request: Request, target: string): Promise<Outcome> {
    const settings = this.#parts.host.serverConfigOf(request.server)
    const url = target === '' ? (settings.defaultLoggedOutUrl ?? null) : target
    if (target !== '' && !isAllowedTarget(request, target, settings)) {
      this.#warn(request, `logout=${printable(target)} leads to another site; OIDCRedirectURLsAllowed does not admit it`)
      return respondWith(
        request,
        HTTP_BAD_REQUEST,
        problemPage('Logout not possible', 'The page that was asked for is on another site.', null),
      )
    }
    const session = await this.#session(request)
    this.#forget(request)
    if (session !== null) await this.#revoke(request, session)
    const back = url === null ? null : new URL(url, originOf(request, settings)).href
    const atProvider = await this.#endSession(request, session, back)
    if (atProvider !== null) return redirect(request, atProvider)
    if (back !== null) return redirect(request, back)
    forbidStoring(request)
    return request.sendText('text/html', page('Logged out', '<p>You are logged out.</p>'))
  }

  /** The logout succeeds nevertheless: the session here has ended. */
  async #revoke(request: Request, session: Session): Promise<void> {
    try {
      await this.#parts.providerOf(request).revoke(session)
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      this.#warn(request, `a token of ${session.user} was not revoked: ${error.message}`)
    }
  }

  /** A script asks for a new access token: `?refresh=URL&access_token=TOKEN` proves that it has the present one. */
  async #refresh(request: Request, parameters: URLSearchParams): Promise<Outcome> {
    const settings = this.#parts.host.serverConfigOf(request.server)
    const target = parameters.get('refresh') ?? ''
    if (!isAllowedTarget(request, target, settings)) {
      this.#warn(request, `refresh=${printable(target)} leads to another site; OIDCRedirectURLsAllowed does not admit it`)
      return HTTP_BAD_REQUEST
    }
    const back = new URL(target, originOf(request, settings)).href
    const failed = (code: string): Outcome => redirect(request, withParameters(back, [['error_code', code]]))
    const given = parameters.get('access_token')
    if (given === null) return failed('no_access_token')
    const id = this.#parts.cookies.session(request)
    const session = await this.#session(request)
    if (id === null || session === null) return failed('no_access_token_exists')
    if (!isSameToken(given, session.accessToken)) return failed('no_access_token_match')
    const refreshed = await this.#refreshes.refresh(request, id, session)
    return refreshed?.isNew === true ? redirect(request, back) : failed('refresh_failed')
  }

  /** The keys that providers verify private_key_jwt with. */
  async #publicKeys(request: Request): Promise<Outcome> {
    const { privateKeys = [] } = this.#parts.host.serverConfigOf(request.server)
    return request.sendJson({ keys: await Promise.all(privateKeys.map(publicKeyOf)) })
  }

  /** Where the provider ends its own session; null if it has no such place, or cannot be asked now. */
  async #endSession(request: Request, session: Session | null, back: string | null): Promise<string | null> {
    const { clientId = '' } = this.#parts.host.serverConfigOf(request.server)
    try {
      const { end_session_endpoint: endpoint } = await this.#parts.providerOf(request).metadata()
      if (endpoint === undefined) return null
      const url = new URL(endpoint)
      if (session !== null) url.searchParams.set('id_token_hint', session.idToken)
      url.searchParams.set('client_id', clientId)
      if (back !== null) url.searchParams.set('post_logout_redirect_uri', back)
      return url.href
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      this.#warn(request, `a user was logged out here, but not at the provider: ${error.message}`)
      return null
    }
  }

  /** Called by a page of the provider in a frame or as an image. */
  async #frontChannel(request: Request, parameters: URLSearchParams): Promise<Outcome> {
    const settings = this.#parts.host.serverConfigOf(request.server)
    const [iss, sid] = [parameters.get('iss'), parameters.get('sid')]
    try {
      const { issuer } = await this.#parts.providerOf(request).metadata()
      // Only the provider knows the sid. A cookie is not sent from within a frame of another site.
      if (iss === issuer && sid !== null) await this.#parts.sessions.end(issuer, { sid })
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      this.#warn(request, `a front-channel logout failed: ${error.message}`)
    }
    this.#forget(request)
    forbidStoring(request)
    request.errHeadersOut.set('X-Frame-Options', settings.logoutFrameOptions ?? 'DENY')
    return request.sendText('text/html', page('Logged out', '<p>You are logged out.</p>'))
  }

  async #backChannel(request: Request): Promise<Outcome> {
    forbidStoring(request)
    if (request.method !== 'POST') {
      request.allowed = new Set(['POST'])
      return HTTP_METHOD_NOT_ALLOWED
    }
    let form = ''
    for await (const chunk of request.readBody()) {
      form += Buffer.from(chunk).toString('latin1')
      if (form.length > LONGEST_FORM) return HTTP_BAD_REQUEST
    }
    const token = new URLSearchParams(form).get('logout_token') ?? ''
    try {
      const { iss, sid, sub } = await this.#parts.providerOf(request).logoutClaims(token)
      if (typeof iss !== 'string') return HTTP_BAD_REQUEST
      if (typeof sid === 'string') await this.#parts.sessions.end(iss, { sid })
      else if (typeof sub === 'string') await this.#parts.sessions.end(iss, { subject: sub })
      else return HTTP_BAD_REQUEST
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      this.#warn(request, `a back-channel logout was refused: ${error.message}`)
      return HTTP_BAD_REQUEST
    }
    return request.sendText('text/plain', '')
  }

  async #info(request: Request, kind: string): Promise<Outcome> {
    const { infoHook } = this.#parts.host.serverConfigOf(request.server)
    if (infoHook === undefined) return HTTP_NOT_FOUND
    const session = await this.#session(request)
    if (session === null) return HTTP_UNAUTHORIZED
    if (kind !== 'json' && kind !== '') return HTTP_NOT_FOUND
    const { inactivityTimeout = STANDARD.inactivityTimeout } = this.#parts.host.serverConfigOf(request.server)
    const all: Readonly<Record<string, unknown>> = {
      iat: Math.floor(Date.now() / 1_000),
      access_token: session.accessToken,
      access_token_expires: session.accessExpires ?? undefined,
      id_token: session.idClaims,
      userinfo: session.userInfo ?? undefined,
      refresh_token: session.refreshToken ?? undefined,
      exp: Math.floor(session.endsAt / 1_000),
      timeout: Math.floor((session.usedAt + inactivityTimeout) / 1_000),
      remote_user: Buffer.from(session.user, 'latin1').toString(),
    }
    forbidStoring(request)
    return request.sendJson(
      Object.fromEntries(Object.entries(all).filter(([name, value]) => infoHook.has(name) && value !== undefined)),
    )
  }

  async #session(request: Request): Promise<Session | null> {
    const { inactivityTimeout = STANDARD.inactivityTimeout } = this.#parts.host.serverConfigOf(request.server)
    const id = this.#parts.cookies.session(request)
    return id === null ? null : this.#parts.sessions.find(this.#parts.passphraseOf(request), id, inactivityTimeout)
  }

  #forget(request: Request): void {
    const id = this.#parts.cookies.session(request)
    if (id !== null) this.#parts.sessions.remove(id)
    this.#parts.cookies.removeSession(request)
  }

  #warn(request: Request, text: string): void {
    this.#parts.host.log.write(request, 'warn', '', text)
  }
}

/** Takes equally long for all tokens of one length. */
function isSameToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
