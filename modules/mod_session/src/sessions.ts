import { DECLINED, type MaybePromise, type ModuleHost, OK, type Outcome, type Request, whenSettled } from '@gatewright/api'
import { decodeSession, encodeSession, loadSession, type Session, saveSession } from '@gatewright/api/peers'
import { includesPath, type SessionConfig } from './config.ts'
import { decodeValues, encodeValues } from './encoding.ts'

/** A step of encoding or decoding. */
type Step = (request: Request, session: Session) => MaybePromise<Outcome>

const MICROSECONDS = 1_000_000n

/** Loads and saves the sessions of requests, with the stores and encodings of other modules. */
export class Sessions {
  readonly #host: ModuleHost<SessionConfig, undefined>

  constructor(host: ModuleHost<SessionConfig, undefined>) {
    this.#host = host
  }

  /** httpd's `ap_session_load`. */
  load(request: Request): MaybePromise<Session | null> {
    const config = this.#host.configOf(request)
    if (config.enabled !== true) return null
    if (!includesPath(config, request.uri)) {
      this.#host.log.write(request, 'trace1', 'AH01814', `excluded by configuration for: ${request.uri}`)
      return null
    }
    return whenSettled(this.#stored(request), (stored) => {
      if (stored === null) return null
      // What was set in place of a session that cannot be read counts.
      if (stored.encoded === null || stored.encoded === '' || stored.dirty || stored.written) return this.#current(stored, config)
      return whenSettled(this.#run(request, stored, decodeSession), (decoded) => {
        if (!decoded) {
          this.#failed(request, 'AH01817', 'error while decoding the session, session not loaded')
          stored.entries.clear()
          stored.expiry = 0n
        }
        return this.#current(stored, config)
      })
    })
  }

  /** Before the head of the response: what the response adds to the session, and what is new in it, is kept. */
  saveLate(request: Request): MaybePromise<void> {
    return whenSettled(this.load(request), (session) => {
      if (session === null || session.written) return
      this.#takeHeader(request, session)
      return this.#save(request, session)
    })
  }

  /** SessionEnv. A session that could not be decoded keeps its text: it is read again before it is saved, as in httpd. */
  encodedForEnvironment(session: Session): string {
    const { encoded: stored } = session
    encodeValues(session)
    const { encoded } = session
    session.encoded = stored
    return encoded ?? ''
  }

  #stored(request: Request): MaybePromise<Session | null> {
    const loaded = this.#fromStores(request, 0)
    if (!(loaded instanceof Promise)) return loaded
    return loaded.catch((error: unknown) => this.#loadFailed(request, error))
  }

  #fromStores(request: Request, first: number): MaybePromise<Session | null> {
    const stores = this.#host.optionalHooks.of(loadSession)
    try {
      for (let index = first; index < stores.length; index++) {
        const loaded = stores[index](request)
        if (loaded instanceof Promise) return loaded.then((session) => session ?? this.#fromStores(request, index + 1))
        if (loaded !== null) return loaded
      }
    } catch (error) {
      return this.#loadFailed(request, error)
    }
    this.#host.log.write(
      request,
      'warn',
      'AH01815',
      `session is enabled but no session modules have been configured, session not loaded: ${request.uri}`,
    )
    return null
  }

  #loadFailed(request: Request, error: unknown): null {
    this.#failed(request, 'AH01816', 'error while loading the session, session not loaded', error)
    return null
  }

  /** A session that has ended is an empty one; SessionMaxAge sets the end of one that has none. */
  #current(session: Session, { maxAge = 0 }: Readonly<SessionConfig>): Session {
    const now = microseconds()
    if (session.expiry !== 0n && session.expiry < now) empty(session)
    if (maxAge !== 0) {
      if (session.expiry === 0n) session.expiry = now + BigInt(maxAge) * MICROSECONDS
      session.maxAge = maxAge
    }
    return session
  }

  /** SessionHeader: what a handler or backend says is added, and the field is not sent. */
  #takeHeader(request: Request, session: Session): void {
    const { header } = this.#host.configOf(request)
    if (header === undefined) return
    const text = request.errHeadersOut.get(header) ?? request.headersOut.get(header)
    if (text === undefined) return
    request.errHeadersOut.unset(header)
    request.headersOut.unset(header)
    session.encoded = text
    session.dirty = true
    // The text is as it stands, not encrypted: only the own decoding applies.
    decodeValues(session)
  }

  #save(request: Request, session: Session): MaybePromise<void> {
    const { maxAge = 0, updateInterval = 0 } = this.#host.configOf(request)
    const before = session.expiry
    const now = microseconds()
    if (before !== 0n && before < now) {
      const what = 'attempt made to save a session when the session had already expired, session not saved'
      this.#host.log.write(request, 'warn', 'AH01819', `${what}: ${request.uri}`)
      return
    }
    if (maxAge !== 0) {
      session.expiry = now + BigInt(maxAge) * MICROSECONDS
      session.maxAge = maxAge
    }
    if (!session.dirty) {
      if (session.maxAge === 0) return
      if (updateInterval > 0 && session.expiry - before < BigInt(updateInterval) * MICROSECONDS) return
    }
    return whenSettled(this.#run(request, session, encodeSession), (encoded) => {
      if (!encoded) return this.#failed(request, 'AH01820', 'error while encoding the session, session not saved')
      return this.#store(request, session)
    })
  }

  #store(request: Request, session: Session): MaybePromise<void> {
    const failed = (error: unknown): void =>
      this.#failed(request, 'AH01822', 'error while saving the session, session not saved', error)
    try {
      const stored = this.#toStores(request, session, 0)
      return stored instanceof Promise ? stored.catch(failed) : stored
    } catch (error) {
      failed(error)
    }
  }

  #toStores(request: Request, session: Session, first: number): MaybePromise<void> {
    const stores = this.#host.optionalHooks.of(saveSession)
    for (let index = first; index < stores.length; index++) {
      const saved = stores[index](request, session)
      if (saved instanceof Promise) {
        return saved.then((outcome) => {
          if (outcome === DECLINED) return this.#toStores(request, session, index + 1)
          session.written = true
        })
      }
      if (saved === DECLINED) continue
      session.written = true
      return
    }
    const what = 'session is enabled but no session modules have been configured, session not saved'
    this.#host.log.write(request, 'warn', 'AH01821', `${what}: ${request.uri}`)
  }

  /** Runs all steps in their order. Returns false when one failed. */
  #run(request: Request, session: Session, hook: typeof encodeSession): MaybePromise<boolean> {
    try {
      const ran = runSteps(request, session, this.#host.optionalHooks.of(hook), 0)
      return ran instanceof Promise ? ran.catch((error: unknown) => this.#stepFailed(request, error)) : ran
    } catch (error) {
      return this.#stepFailed(request, error)
    }
  }

  #stepFailed(request: Request, error: unknown): false {
    this.#host.log.write(request, 'error', '', `a function for sessions failed: ${String(error)}`)
    return false
  }

  #failed(request: Request, code: string, what: string, error?: unknown): void {
    this.#host.log.write(request, 'error', code, `${what}: ${request.uri}`, error instanceof Error ? error : undefined)
  }
}

function runSteps(request: Request, session: Session, steps: readonly Step[], first: number): MaybePromise<boolean> {
  for (let index = first; index < steps.length; index++) {
    const outcome = steps[index](request, session)
    if (outcome instanceof Promise) {
      return outcome.then((late) => isDone(late) && runSteps(request, session, steps, index + 1))
    }
    if (!isDone(outcome)) return false
  }
  return true
}

function isDone(outcome: Outcome): boolean {
  return outcome === OK || outcome === DECLINED
}

/** Nothing of it counts, but what is put into it from now on is kept. */
function empty(session: Session): void {
  session.entries.clear()
  session.encoded = null
  session.expiry = 0n
}

function microseconds(): bigint {
  return BigInt(Date.now()) * 1000n
}
