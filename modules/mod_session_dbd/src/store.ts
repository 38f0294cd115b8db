import { randomUUID } from 'node:crypto'
import { DECLINED, type ModuleHost, OK, type Outcome, type Request, type Slot } from '@gatewright/api'
import { newSession, type Session, sessionOrigin } from '@gatewright/api/peers'
import { type CookieWords, cookieField } from '@gatewright/api/text'
import type { SessionDbdConfig } from './config.ts'
import { type SessionTable, SessionTableError } from './session-table.ts'

/** The form of the keys that the server gives to clients. */
const KEY = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/

/** Keeps sessions in a database, under a key in a cookie of the client or under the name of the user. */
export class DatabaseSessions {
  readonly #host: ModuleHost<SessionDbdConfig, undefined>
  readonly #table: SessionTable
  /**
   * Sessions by their cookie or user, kept with the client's request. A failure is kept, too: the cookie has been removed
   * by then, so another attempt would find a new session, and saving that would end the one of the client.
   */
  readonly #loaded: Slot<Request, Map<string, Session | SessionTableError>>

  constructor(host: ModuleHost<SessionDbdConfig, undefined>, table: SessionTable) {
    this.#host = host
    this.#table = table
    this.#loaded = host.requestSlot()
  }

  async load(request: Request): Promise<Session | null> {
    const { cookie, cookie2, remove = true, perUser = false } = this.#host.configOf(request)
    const cookieName = (cookie2 ?? cookie)?.name
    const user = cookieName === undefined && perUser ? request.user : null
    const name = cookieName ?? user
    if (name === null) return null
    const origin = sessionOrigin(request)
    const known = this.#loaded.get(origin)?.get(name)
    if (known instanceof SessionTableError) throw known
    if (known !== undefined) return known
    const key = cookieName === undefined ? user : this.#host.services.readCookie(origin, cookieName, { remove })
    const session = await this.#read(request, key, cookieName !== undefined)
    const loaded = this.#loaded.get(origin) ?? new Map<string, Session | SessionTableError>()
    this.#loaded.set(origin, loaded.set(name, session))
    if (session instanceof SessionTableError) throw session
    // Caches must not keep pages for one client.
    request.headersOut.add('Cache-Control', 'no-cache, private')
    return session
  }

  /** @param isOfCookie whether the client sent the key: one that is in no row is its own, and the session gets another one */
  async #read(request: Request, key: string | null, isOfCookie: boolean): Promise<Session | SessionTableError> {
    if (key === null) return newSession(null)
    try {
      const encoded = await this.#table.select(request, key)
      return newSession(encoded, encoded !== null && isOfCookie && KEY.test(key) ? key.toLowerCase() : '')
    } catch (error) {
      if (error instanceof SessionTableError) return error
      throw error
    }
  }

  async save(request: Request, session: Session): Promise<Outcome> {
    const { cookie, cookie2, perUser = false } = this.#host.configOf(request)
    if (cookie === undefined && cookie2 === undefined) return perUser ? this.#saveForUser(request, session) : DECLINED
    const oldKey = session.id === '' ? null : session.id
    // A changed session gets a new key: one that was known before a login is worth nothing after it.
    const newKey = session.dirty || oldKey === null ? randomUUID() : oldKey
    await this.#keep(request, session, oldKey, newKey)
    session.id = newKey
    setCookie(request, 'Set-Cookie', cookie, newKey, session)
    setCookie(request, 'Set-Cookie2', cookie2, newKey, session)
    return OK
  }

  async #saveForUser(request: Request, session: Session): Promise<Outcome> {
    const { user } = request
    if (user === null) {
      const what = 'peruser sessions can only be saved if a user is logged in, session not saved'
      this.#host.log.write(request, 'warn', 'AH01865', `${what}: ${request.uri}`)
      return DECLINED
    }
    await this.#table.save(request, user, user, session.encoded, session.expiry)
    return OK
  }

  async #keep(request: Request, { encoded, expiry }: Session, oldKey: string | null, newKey: string): Promise<void> {
    if (encoded !== null && encoded !== '') await this.#table.save(request, oldKey, newKey, encoded, expiry)
    else await this.#table.remove(request, oldKey)
  }
}

function setCookie(request: Request, field: string, cookie: CookieWords | undefined, key: string, { maxAge }: Session): void {
  if (cookie !== undefined) request.errHeadersOut.add(field, cookieField(cookie, key, maxAge))
}
