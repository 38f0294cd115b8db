import type { ModuleHost, Request } from '@gatewright/api'
import { type OpenIdConfig, type OpenIdServerConfig, STANDARD } from './config.ts'
import { originOf, redirectUriOf } from './urls.ts'

type Host = ModuleHost<OpenIdConfig, OpenIdServerConfig>

/** Reads and writes the two cookies of the module. */
export class Cookies {
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  session(request: Request): string | null {
    return this.#host.services.readCookie(request, this.#sessionName(request), { remove: false })
  }

  /** @param maxAge seconds; null for a cookie that ends with the browser */
  setSession(request: Request, value: string, maxAge: number | null): void {
    this.#set(request, this.#sessionName(request), value, maxAge)
  }

  removeSession(request: Request): void {
    this.#set(request, this.#sessionName(request), '', 0)
  }

  states(request: Request): string | null {
    return this.#host.services.readCookie(request, this.#statesName(request), { remove: false })
  }

  /** @param maxAge seconds; with 0 the cookie is removed */
  setStates(request: Request, value: string, maxAge: number): void {
    this.#set(request, this.#statesName(request), value, maxAge)
  }

  /** Those cookies of the client that OIDCPassCookies names, as a field. */
  passed(request: Request): string {
    const { passCookies = [] } = this.#host.configOf(request)
    const pairs = passCookies.flatMap((name) => {
      const value = this.#host.services.readCookie(request, name, { remove: false })
      return value === null ? [] : [`${name}=${value}`]
    })
    return pairs.join('; ')
  }

  /** Takes the cookies of OIDCStripCookies out of the request, so that no program or backend sees them. */
  strip(request: Request): void {
    const { stripCookies = [] } = this.#host.configOf(request)
    const field = stripCookies.length === 0 ? undefined : request.headersIn.get('Cookie')
    if (field === undefined) return
    const names = new Set(stripCookies)
    const kept = field.split(';').filter((pair) => !names.has(pair.split('=', 1)[0]?.trim() ?? ''))
    if (kept.length === 0) request.headersIn.delete('Cookie')
    else request.headersIn.set('Cookie', kept.join(';').trim())
  }

  #sessionName(request: Request): string {
    return this.#host.configOf(request).cookie ?? STANDARD.cookie
  }

  #statesName(request: Request): string {
    const { stateCookiePrefix = STANDARD.stateCookiePrefix } = this.#host.serverConfigOf(request.server)
    return stateCookiePrefix.replace(/_$/, '')
  }

  #set(request: Request, name: string, value: string, maxAge: number | null): void {
    const settings = this.#host.serverConfigOf(request.server)
    const { cookiePath = '/' } = this.#host.configOf(request)
    const { cookieDomain, cookieHttpOnly = true } = settings
    const secured = originOf(request, settings).startsWith('https:') || redirectUriOf(request, settings).startsWith('https:')
    const parts = [`${name}=${value}`, `Path=${cookiePath}`]
    if (cookieDomain !== undefined) parts.push(`Domain=${cookieDomain}`)
    if (maxAge !== null) parts.push(`Max-Age=${maxAge}`)
    if (secured) parts.push('Secure')
    if (cookieHttpOnly) parts.push('HttpOnly')
    // Lax: the way back from the provider is a navigation from another site.
    parts.push('SameSite=Lax')
    request.errHeadersOut.add('Set-Cookie', parts.join('; '))
  }
}
