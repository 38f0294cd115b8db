import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from '@gatewright/api'
import { listed } from './claim-fields.ts'
import { STANDARD } from './config.ts'
import type { OpenIdParts } from './login.ts'
import { LoginError } from './provider.ts'
import type { Session } from './session-store.ts'

/** Milliseconds between two looks at what another process, or another machine, is refreshing. */
const LOOK = 50
/** Milliseconds for which a provider is not asked again about a session whose tokens it did not refresh. */
const PAUSE = 10_000
/** Others have changed the session so many times. */
const MOST_TRIES = 10

/** What came of an attempt: the session with new tokens, the one before, or none if it has ended. */
export type Refreshed = { readonly session: Session; readonly isNew: boolean } | null

/**
 * Gets new access tokens by refresh tokens. Providers take a refresh token once and end everything if it comes again, so of all
 * requests of a session, on all machines, one refreshes and the others use what it gets.
 */
export class TokenRefreshes {
  readonly #parts: OpenIdParts
  /** By session id. */
  readonly #pending = new Map<string, Promise<Refreshed>>()

  constructor(parts: OpenIdParts) {
    this.#parts = parts
  }

  /** Whether the access token ends within OIDCRefreshAccessTokenBeforeExpiry, and can be refreshed. */
  isDue(request: Request, { accessExpires, refreshToken }: Session): boolean {
    const { refreshBefore } = this.#parts.host.configOf(request)
    if (refreshBefore === undefined || accessExpires === null || refreshToken === null) return false
    return Date.now() >= (accessExpires - refreshBefore.seconds) * 1_000
  }

  /** Refreshes the tokens of a session now. */
  refresh(request: Request, id: string, session: Session): Promise<Refreshed> {
    const pending = this.#pending.get(id)
    if (pending !== undefined) return pending
    const started = this.#refresh(request, id, session).finally(() => this.#pending.delete(id))
    this.#pending.set(id, started)
    return started
  }

  async #refresh(request: Request, id: string, session: Session): Promise<Refreshed> {
    const { host, sessions } = this.#parts
    const { longTimeout = STANDARD.longTimeout } = host.serverConfigOf(request.server)
    if (!(await sessions.claim(id, longTimeout + PAUSE))) return this.#awaitOther(request, id, session, longTimeout)
    let isDone = false
    try {
      const found = await this.#ask(request, id, session)
      isDone = true
      return found
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      host.log.write(request, 'warn', '', `the access token of ${session.user} was not refreshed: ${error.message}`)
      const { refreshBefore } = host.configOf(request)
      if (refreshBefore?.logoutOnError !== true) return { session, isNew: false }
      sessions.remove(id)
      return null
    } finally {
      // After a failure the claim stays for a while.
      sessions.release(id, isDone ? 0 : PAUSE)
    }
  }

  async #ask(request: Request, id: string, session: Session): Promise<Refreshed> {
    const { host, sessions, providerOf, passphraseOf } = this.#parts
    const settings = host.serverConfigOf(request.server)
    const { inactivityTimeout = STANDARD.inactivityTimeout, maxDuration = STANDARD.maxDuration } = settings
    const passphrase = passphraseOf(request)
    // Another process may have been quicker before this one had the claim.
    const current = await sessions.find(passphrase, id, inactivityTimeout)
    if (current === null) return null
    if (current.accessToken !== session.accessToken) return { session: current, isNew: true }
    const tokens = await providerOf(request).refresh(current)
    const { exp } = tokens.idClaims ?? {}
    // Other requests may note that they used the session. One that was ended meanwhile, by a logout, stays ended.
    let before: Session | null = current
    for (let tries = 0; before !== null && tries < MOST_TRIES; tries++) {
      const renewed: Session = {
        ...before,
        ...tokens,
        idClaims: tokens.idClaims === null ? before.idClaims : listed(tokens.idClaims, settings),
        usedAt: Date.now(),
        endsAt: maxDuration === 0 && typeof exp === 'number' ? exp * 1_000 : before.endsAt,
      }
      if (await sessions.replace(passphrase, id, before, renewed, inactivityTimeout)) return { session: renewed, isNew: true }
      before = await sessions.find(passphrase, id, inactivityTimeout)
    }
    if (before !== null) throw new LoginError('unavailable', 'the cache of sessions (SharedCache) did not keep the new tokens')
    return null
  }

  /** Uses the present token while it is valid; else waits for the one that another process gets. */
  async #awaitOther(request: Request, id: string, session: Session, patience: number): Promise<Refreshed> {
    const { host, sessions, passphraseOf } = this.#parts
    const { inactivityTimeout = STANDARD.inactivityTimeout } = host.serverConfigOf(request.server)
    const end = Date.now() + patience
    for (;;) {
      const current = await sessions.find(passphraseOf(request), id, inactivityTimeout)
      if (current === null) return null
      const isNew = current.accessToken !== session.accessToken
      const isValid = current.accessExpires === null || Date.now() < current.accessExpires * 1_000
      if (isNew || isValid || Date.now() >= end || (await sessions.hasFailed(id))) return { session: current, isNew }
      await pause(LOOK)
    }
  }
}
