import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import { type OptionalHook, optionalHook } from './optional-hooks.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Request } from './request.ts'
import { Table } from './table.ts'

/**
 * Values that the server keeps for a client between requests: httpd's `session_rec`.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface Session {
  /** The values by name, in the order of their arrival. Use {@link setSessionValue} to change them. */
  readonly entries: Table
  /** What the store has of it, until it is decoded; then, before it is saved, what the store is to keep. */
  encoded: string | null
  /** When it ends, in microseconds since 1970; 0 for never. */
  expiry: bigint
  /** For how many seconds it is valid from a request on; 0 for no limit. */
  maxAge: number
  /** Whether a value has changed. */
  dirty: boolean
  /** Whether it has been saved. */
  written: boolean
  /** Its key in the store; '' for none. */
  id: string
}

/**
 * A session with what a store has of it.
 * @param encoded null for a new one
 * @param id its key in the store
 * @since 2.4.6
 */
export function newSession(encoded: string | null, id = ''): Session {
  return { entries: new Table(), encoded, expiry: 0n, maxAge: 0, dirty: false, written: false, id }
}

/**
 * The request with which httpd keeps sessions that it has loaded: the first of a chain of redirects, and its main request.
 * @since 2.4.6
 */
export function sessionOrigin(request: Request): Request {
  let origin = request
  while (origin.prev !== null) origin = origin.prev
  while (origin.main !== null) origin = origin.main
  return origin
}

/**
 * Sets a value, or removes it.
 * @param value one byte per character; null removes
 * @throws TypeError for a character above U+00FF
 * @since 2.4.6
 */
export function setSessionValue(session: Session, name: string, value: string | null): void {
  if (value === null) session.entries.unset(name)
  else session.entries.set(name, value)
  session.dirty = true
}

/**
 * Provided by mod_session, httpd's `ap_session_load`: the session of a request, a new one if the client has none; null
 * where sessions are off, or if it cannot be loaded, which was logged. Repeated calls return the same session, except
 * where the store keeps none between calls.
 * @since 2.4.6
 */
export const sessionOf: OptionalFunction<(request: Request) => MaybePromise<Session | null>> = optionalFunction('session:load')

/**
 * Run by mod_session, httpd's hook `session_load`: what a store has for the client of a request; null if the store is not
 * configured. The first function that has a session counts.
 * @throws an error that is logged (AH01816): there is no session then
 * @since 2.4.6
 */
export const loadSession: OptionalHook<(request: Request) => MaybePromise<Session | null>> = optionalHook('session:session_load')

/**
 * Run by mod_session before the head of a response is written, httpd's hook `session_save`: keeps {@link Session.encoded};
 * DECLINED if the store is not configured, OK if it was kept.
 * @throws an error that is logged (AH01822)
 * @since 2.4.6
 */
export const saveSession: OptionalHook<(request: Request, session: Session) => MaybePromise<Outcome>> =
  optionalHook('session:session_save')

/**
 * Run by mod_session before a session is saved, httpd's hook `session_encode`: every function changes
 * {@link Session.encoded}, in their order; another outcome than OK and DECLINED is logged (AH01820), and nothing is saved.
 * @since 2.4.6
 */
export const encodeSession: OptionalHook<(request: Request, session: Session) => MaybePromise<Outcome>> =
  optionalHook('session:session_encode')

/**
 * Run by mod_session when a session was loaded, httpd's hook `session_decode`: the reverse. Another outcome than OK and
 * DECLINED is logged (AH01817), and the client gets a new session.
 * @since 2.4.6
 */
export const decodeSession: OptionalHook<(request: Request, session: Session) => MaybePromise<Outcome>> =
  optionalHook('session:session_decode')
