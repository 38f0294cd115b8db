import { createHash } from 'node:crypto'
import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_MOVED_TEMPORARILY,
  httpStatus,
  type ModuleHost,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { listed } from './claim-fields.ts'
import { type OpenIdConfig, type OpenIdServerConfig, STANDARD } from './config.ts'
import type { Cookies } from './cookies.ts'
import { problemPage } from './pages.ts'
import type { Passphrase } from './pass-phrase.ts'
import { type Identity, LoginError, type Provider } from './provider.ts'
import { printable } from './provider-metadata.ts'
import { remoteUser } from './remote-user.ts'
import type { Session, SessionStore } from './session-store.ts'
import {
  newPending,
  nonceOf,
  type Pending,
  pendingIn,
  slotsIn,
  slotsText,
  stateText,
  verifierOf,
  withoutSlot,
  withSlot,
} from './state.ts'
import { isAllowedTarget, originOf, pageOf, redirectUriOf, withParameters } from './urls.ts'

/** A login that does not return in time begins again so many times; then the browser does not keep cookies. */
const MOST_RESTARTS = 3
/** The parameter `state` has the URL, and providers limit it. */
const LONGEST_URL = 2_000
/** OIDCStateMaxNumberOfCookies 0 means no limit, but the cookie must stay below 4 KB. */
const MOST_SLOTS = 30

const HTTP_BAD_REQUEST = httpStatus(400)
const HTTP_FORBIDDEN = httpStatus(403)
const HTTP_SERVICE_UNAVAILABLE = httpStatus(503)

/** What the parts of the module share. */
export interface OpenIdParts {
  readonly host: ModuleHost<OpenIdConfig, OpenIdServerConfig>
  readonly cookies: Cookies
  readonly sessions: SessionStore
  /** The provider of a server, whose configuration is complete. */
  providerOf(request: Request): Provider
  passphraseOf(request: Request): Passphrase
}

/** Sends clients to the provider, and takes them back. */
export class Logins {
  readonly #parts: OpenIdParts

  constructor(parts: OpenIdParts) {
    this.#parts = parts
  }

  /** Redirects to the provider. @param url where the login leads */
  async begin(request: Request, url: string, restarts = 0): Promise<Outcome> {
    let endpoint: string
    try {
      endpoint = await this.endpoint(request)
    } catch (error) {
      return this.failed(request, error, url)
    }
    const target = this.begun(request, endpoint, url, restarts)
    return typeof target === 'string' ? redirect(request, target) : target
  }

  /** Where the provider asks users to log in. @throws LoginError */
  async endpoint(request: Request): Promise<string> {
    return (await this.#parts.providerOf(request).metadata()).authorization_endpoint ?? ''
  }

  /** The URL at the provider, and the cookie for the way back; or the outcome if there is none. */
  begun(request: Request, endpoint: string, url: string, restarts: number): string | Outcome {
    const { host, cookies } = this.#parts
    const settings = host.serverConfigOf(request.server)
    const redirectUri = redirectUriOf(request, settings)
    const fault = pageFault(pageOf(request, settings), redirectUri, settings)
    if (fault !== null) {
      this.#log(request, 'error', fault)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const pending = newPending(shortened(url), restarts)
    const passphrase = this.#parts.passphraseOf(request)
    const { stateTimeout = STANDARD.stateTimeout, mostStates = STANDARD.mostStates } = settings
    const most = Math.min(mostStates === 0 ? MOST_SLOTS : mostStates, MOST_SLOTS)
    const slots = withSlot(slotsIn(passphrase, cookies.states(request), stateTimeout), pending, most)
    cookies.setStates(request, slotsText(passphrase, slots), Math.ceil(stateTimeout / 1_000))
    return withParameters(endpoint, this.#parameters(request, pending, redirectUri))
  }

  #parameters(request: Request, pending: Pending, redirectUri: string): readonly (readonly [string, string])[] {
    const { host } = this.#parts
    const { clientId = '', scope = STANDARD.scope, pkce = 'S256', authRequestParams } = host.serverConfigOf(request.server)
    const { pathScope, pathAuthRequestParams } = host.configOf(request)
    const passphrase = this.#parts.passphraseOf(request)
    const more = pathScope?.of(request) ?? ''
    const parameters: [string, string][] = [
      ['response_type', 'code'],
      ['scope', more === '' ? scope : `${scope} ${more}`],
      ['client_id', clientId],
      ['state', stateText(passphrase, pending)],
      ['redirect_uri', redirectUri],
      ['nonce', nonceOf(passphrase, pending)],
    ]
    if (pkce === 'S256') {
      const challenge = createHash('sha256').update(verifierOf(passphrase, pending)).digest('base64url')
      parameters.push(['code_challenge', challenge], ['code_challenge_method', 'S256'])
    }
    const asked = new URLSearchParams(request.args ?? '')
    for (const text of [authRequestParams, pathAuthRequestParams?.of(request)]) {
      for (const [name, value] of new URLSearchParams(text ?? '')) {
        // `name=#` passes the parameter of the request on.
        const given = value === '#' ? asked.get(name) : value
        // What this module checks later must not be replaced.
        if (given !== null && !parameters.some(([known]) => known === name)) parameters.push([name, given])
      }
    }
    return parameters
  }

  /** The response of the provider at the redirect URI. */
  async complete(request: Request, parameters: URLSearchParams): Promise<Outcome> {
    const { host, cookies } = this.#parts
    const settings = host.serverConfigOf(request.server)
    const passphrase = this.#parts.passphraseOf(request)
    const state = parameters.get('state') ?? ''
    const pending = pendingIn(passphrase, state)
    if (pending === null) {
      this.#log(request, 'warn', 'a response to OIDCRedirectURI has no state of this server')
      return this.#invalid(request, 'The response of the login service does not belong to a login here.')
    }
    // Anyone can begin a login by the name of another host, and give its way back to a client of this one.
    if (pageFault(pending.url, redirectUriOf(request, settings), settings) !== null && !isListed(pending.url, settings)) {
      this.#log(request, 'warn', `a login at ${printable(new URL(pending.url).host)} came back to another host`)
      return this.#invalid(request, 'The response of the login service does not belong to a login here.')
    }
    const { stateTimeout = STANDARD.stateTimeout, pkce = 'S256' } = settings
    const slots = slotsIn(passphrase, cookies.states(request), stateTimeout)
    if (!slots.has(pending.id)) return this.#late(request, pending)
    const left = withoutSlot(slots, pending)
    // Whatever comes of it, a response is taken once.
    cookies.setStates(
      request,
      left.size === 0 ? '' : slotsText(passphrase, left),
      left.size === 0 ? 0 : Math.ceil(stateTimeout / 1_000),
    )
    try {
      const identity = await this.#parts.providerOf(request).identity(parameters, {
        state,
        nonce: nonceOf(passphrase, pending),
        verifier: pkce === 'S256' ? verifierOf(passphrase, pending) : null,
        redirectUri: redirectUriOf(request, settings),
        cookies: cookies.passed(request),
      })
      return await this.#admit(request, passphrase, identity, pending.url)
    } catch (error) {
      return this.failed(request, error, pending.url)
    }
  }

  /** A response that comes too late, twice, or to another browser: nothing of it is believed but where it should have led. */
  async #late(request: Request, pending: Pending): Promise<Outcome> {
    const { host, cookies, sessions } = this.#parts
    const { inactivityTimeout = STANDARD.inactivityTimeout } = host.serverConfigOf(request.server)
    const id = cookies.session(request)
    const session = id === null ? null : await sessions.find(this.#parts.passphraseOf(request), id, inactivityTimeout)
    if (session !== null) return redirect(request, pending.url)
    if (pending.restarts >= MOST_RESTARTS) {
      this.#log(
        request,
        'warn',
        'a login did not return in time again and again: the browser does not keep the cookie of its state',
      )
      return this.#invalid(request, 'The login took too long, or the browser does not accept cookies of this site.')
    }
    this.#log(request, 'info', 'a login returned too late or a second time, and begins again')
    return this.begin(request, pending.url, pending.restarts + 1)
  }

  async #admit(request: Request, passphrase: Passphrase, identity: Identity, url: string): Promise<Outcome> {
    const { host, cookies, sessions } = this.#parts
    const settings = host.serverConfigOf(request.server)
    const found = remoteUser(settings.remoteUser, identity)
    if ('fault' in found) throw new LoginError('refused', `OIDCRemoteUserClaim: ${found.fault}`)
    const { maxDuration = STANDARD.maxDuration, inactivityTimeout = STANDARD.inactivityTimeout, persistent = false } = settings
    const now = Date.now()
    const { exp } = identity.idClaims
    const session: Session = {
      ...identity,
      idClaims: listed(identity.idClaims, settings),
      userInfo: identity.userInfo === null ? null : listed(identity.userInfo, settings),
      user: found.user,
      createdAt: now,
      usedAt: now,
      endsAt: maxDuration > 0 ? now + maxDuration : typeof exp === 'number' ? exp * 1_000 : now,
    }
    const former = cookies.session(request)
    // Always a new id: an attacker may have planted the former one in the browser.
    const id = sessions.newId()
    if (!(await sessions.add(passphrase, id, session, inactivityTimeout))) {
      throw new LoginError('unavailable', 'the cache of sessions (SharedCache) did not keep a session')
    }
    if (former !== null) sessions.remove(former)
    cookies.setSession(request, id, persistent ? Math.ceil(Math.min(inactivityTimeout, session.endsAt - now) / 1_000) : null)
    host.log.write(request, 'debug', '', `${session.user} has logged in`)
    return redirect(request, url)
  }

  /** What a client gets when a login has failed. @throws what is not a LoginError */
  failed(request: Request, error: unknown, url: string): Outcome {
    if (!(error instanceof LoginError)) throw error
    this.#log(request, error.kind === 'refused' ? 'warn' : 'error', `a login failed: ${error.message}`)
    forbidStoring(request)
    if (error.kind === 'unavailable') {
      return respondWith(
        request,
        HTTP_SERVICE_UNAVAILABLE,
        problemPage('Login not possible', 'The login service cannot be reached. Try again later.', url),
      )
    }
    return respondWith(request, HTTP_FORBIDDEN, problemPage('Login failed', 'The login service did not confirm the login.', url))
  }

  /** A login that another site asks for (OpenID Connect Core 1.0, section 4). */
  thirdParty(request: Request, parameters: URLSearchParams): Promise<Outcome> {
    const settings = this.#parts.host.serverConfigOf(request.server)
    const target = parameters.get('target_link_uri') ?? settings.defaultUrl ?? '/'
    if (!isAllowedTarget(request, target, settings)) {
      this.#log(
        request,
        'warn',
        `target_link_uri ${printable(target)} leads to another site; OIDCRedirectURLsAllowed does not admit it`,
      )
      return Promise.resolve(this.#invalid(request, 'The page that was asked for is on another site.'))
    }
    return this.begin(request, new URL(target, originOf(request, settings)).href)
  }

  #invalid(request: Request, text: string): Outcome {
    const { defaultUrl } = this.#parts.host.serverConfigOf(request.server)
    if (defaultUrl !== undefined) return redirect(request, defaultUrl)
    forbidStoring(request)
    return respondWith(request, HTTP_BAD_REQUEST, problemPage('Login not possible', text, null))
  }

  #log(request: Request, level: 'error' | 'warn' | 'info', text: string): void {
    this.#parts.host.log.write(request, level, '', text)
  }
}

/** Whether OIDCRedirectURLsAllowed admits a page of another host. */
function isListed(url: string, { redirectsAllowed }: Readonly<OpenIdServerConfig>): boolean {
  return redirectsAllowed?.some((pattern) => pattern.test(url)) === true
}

/** Why the cookie of a login for a page would not come back to the redirect URI. */
function pageFault(page: string, redirectUri: string, settings: Readonly<OpenIdServerConfig>): string | null {
  const { hostname } = new URL(page)
  const other = new URL(redirectUri).hostname
  const { cookieDomain } = settings
  if (cookieDomain === undefined) {
    return hostname === other
      ? null
      : `the host ${hostname} is not that of OIDCRedirectURI (${other}), and there is no OIDCCookieDomain`
  }
  const isInside = (name: string): boolean => name === cookieDomain || name.endsWith(`.${cookieDomain}`)
  return isInside(hostname) && isInside(other)
    ? null
    : `the hosts ${hostname} and ${other} are not both in OIDCCookieDomain ${cookieDomain}`
}

/** A URL that is too long for the parameter `state` loses its query. */
function shortened(url: string): string {
  if (url.length <= LONGEST_URL) return url
  const [path] = url.split('?', 1)
  return path.length <= LONGEST_URL ? path : new URL('/', url).href
}

export function redirect(request: Request, location: string): Outcome {
  request.headersOut.set('Location', location)
  forbidStoring(request)
  return HTTP_MOVED_TEMPORARILY
}

export function forbidStoring({ errHeadersOut }: Request): void {
  errHeadersOut.set('Cache-Control', 'no-cache, no-store, max-age=0')
  errHeadersOut.set('Expires', '0')
}

export function respondWith(request: Request, status: Outcome, text: string): Outcome {
  request.customResponse = { status, text }
  return status
}
