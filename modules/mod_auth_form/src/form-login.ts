import type { ModuleHost, Outcome, Request, Slot } from '@gatewright/api'
import { type FormConfig, STANDARD_NAMES, STANDARD_SIZE } from './config.ts'
import type { Credentials } from './credentials.ts'
import { isRefusal, readForm } from './form-reader.ts'
import type { FormSessions } from './form-session.ts'
import { staysOnSite } from './own-site.ts'

/** A form that was posted. */
export interface PostedForm {
  /** null if a field is missing or the password is empty. */
  readonly credentials: Credentials | null
  /** Where to go after the login; null for nowhere. */
  readonly location: string | null
  /** The request that the login replaces. */
  readonly method: string | null
  readonly mimetype: string | null
  readonly body: string | null
}

/** What is remembered of a form with the client's request, for the requests that follow from it. */
export interface NotedLogin {
  readonly realm: string
  readonly credentials: Credentials
  readonly method: string | null
  readonly mimetype: string | null
}

/** Reads login forms. */
export class LoginForms {
  readonly #host: ModuleHost<FormConfig, undefined>
  readonly #sessions: FormSessions
  readonly #noted: Slot<Request, NotedLogin>

  constructor(host: ModuleHost<FormConfig, undefined>, sessions: FormSessions) {
    this.#host = host
    this.#sessions = sessions
    this.#noted = host.requestSlot()
  }

  /** What was noted for this client's request and realm; null for nothing. */
  noted(request: Request): NotedLogin | null {
    const noted = this.#noted.get(originOf(request)) ?? null
    return noted !== null && noted.realm === this.#sessions.realmOf(request) ? noted : null
  }

  note(request: Request, credentials: Credentials, method: string | null, mimetype: string | null): void {
    const realm = this.#sessions.realmOf(request)
    if (realm !== null) this.#noted.set(originOf(request), { realm, credentials, method, mimetype })
  }

  /**
   * Reads the form of a request.
   * @returns the status that refuses the body, or the form
   */
  async read(request: Request): Promise<PostedForm | Outcome> {
    const { names, size = STANDARD_SIZE } = this.#host.configOf(request)
    const fields = { ...STANDARD_NAMES, ...names }
    const form = await readForm(request, Object.values(fields), size)
    if (isRefusal(form)) return form
    const fieldOf = (name: string): string | null => form.get(name) ?? null
    const user = fieldOf(fields.user)
    const password = fieldOf(fields.password)
    // The user is known by name from here on, in logs too, although nothing is verified yet.
    if (user !== null) request.user = user
    const method = fieldOf(fields.method)
    const mimetype = fieldOf(fields.mimetype)
    const credentials = this.#credentials(request, user, password, fields)
    if (credentials !== null) this.note(request, credentials, method, mimetype)
    return {
      credentials,
      location: this.#location(request, fieldOf(fields.location)),
      method,
      mimetype,
      body: fieldOf(fields.body),
    }
  }

  #credentials(
    request: Request,
    user: string | null,
    password: string | null,
    names: { readonly user: string; readonly password: string },
  ): Credentials | null {
    const missing = (code: string, which: string, name: string): null => {
      const text = `form parsed, but ${which} field '${name}' was missing or empty, unauthorized`
      this.#host.log.write(request, 'debug', code, text)
      return null
    }
    if (user === null) return missing('AH02982', 'username', names.user)
    if (password === null) return missing('AH02983', 'password', names.password)
    return { user, password }
  }

  /** A form on another site must not lead users away in the name of this site. */
  #location(request: Request, location: string | null): string | null {
    if (location === null || location === '') return null
    const { locationHosts = [] } = this.#host.configOf(request)
    if (staysOnSite(request, location, locationHosts)) return location
    const what = 'the Location field of a login form leads to another site, and is ignored (AuthFormLocationHosts)'
    this.#host.log.write(request, 'warn', '', `${what}: ${request.uri}`)
    return null
  }
}

/** The request that the client sent. */
function originOf(request: Request): Request {
  let origin = request
  while (origin.main !== null) origin = origin.main
  while (origin.prev !== null) origin = origin.prev
  return origin
}
