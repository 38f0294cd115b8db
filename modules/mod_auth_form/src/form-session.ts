import { type MaybePromise, type ModuleHost, type Request, whenSettled } from '@gatewright/api'
import { authNameOf, type Session, sessionOf, setSessionValue } from '@gatewright/api/peers'
import { escapeQuotes } from '@gatewright/api/text'
import type { FormConfig } from './config.ts'
import { type Credentials, siteHash } from './credentials.ts'

/** What a session has of a login; null for what it does not have. */
export interface SessionLogin {
  readonly user: string | null
  readonly password: string | null
  /** The hash of AuthFormSitePassphrase. */
  readonly site: string | null
}

const NO_LOGIN: SessionLogin = { user: null, password: null, site: null }

/** The logins in sessions: values whose names begin with the realm. */
export class FormSessions {
  readonly #host: ModuleHost<FormConfig, undefined>

  constructor(host: ModuleHost<FormConfig, undefined>) {
    this.#host = host
  }

  /** The realm in the names of values; null without AuthName. */
  realmOf(request: Request): string | null {
    const name = this.#host.functions.get(authNameOf)?.(request) ?? null
    return name === null ? null : escapeQuotes(name)
  }

  read(request: Request): MaybePromise<SessionLogin> {
    const realm = this.realmOf(request)
    if (realm === null) return NO_LOGIN
    return whenSettled(this.#load(request), (session) => {
      if (session === null) return NO_LOGIN
      const entryOf = (name: string): string | null => session.entries.get(`${realm}-${name}`) ?? null
      return { user: entryOf('user'), password: entryOf('pw'), site: entryOf('site') }
    })
  }

  /** Keeps a login, or removes it; without AuthName nothing is removed, but the session is written again, as in httpd. */
  write(request: Request, login: Credentials | null): MaybePromise<void> {
    const realm = this.realmOf(request)
    const { sitePassphrase } = this.#host.configOf(request)
    return whenSettled(this.#load(request), (session) => {
      if (session === null) return
      session.dirty = true
      if (realm === null) return
      setSessionValue(session, `${realm}-user`, login?.user ?? null)
      setSessionValue(session, `${realm}-pw`, login?.password ?? null)
      const site = login === null || sitePassphrase === undefined ? null : siteHash(login.user, sitePassphrase)
      setSessionValue(session, `${realm}-site`, site)
    })
  }

  #load(request: Request): MaybePromise<Session | null> {
    return this.#host.functions.get(sessionOf)?.(request) ?? null
  }
}
