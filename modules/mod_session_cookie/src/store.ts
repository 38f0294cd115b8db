import { DECLINED, type HostServices, type ModuleHost, OK, type Outcome, type Request, type Slot } from '@gatewright/api'
import { newSession, type Session, sessionOrigin } from '@gatewright/api/peers'
import { type CookieWords, cookieField } from '@gatewright/api/text'
import type { CookieConfig } from './config.ts'

/** Keeps sessions in a cookie of the client. */
export class CookieStore {
  readonly #configOf: (request: Request) => Readonly<CookieConfig>
  readonly #services: HostServices
  /** Sessions by the name of their cookie, kept with the client's request. */
  readonly #loaded: Slot<Request, Map<string, Session>>

  constructor({ configOf, services, requestSlot }: ModuleHost<CookieConfig, undefined>) {
    this.#configOf = configOf
    this.#services = services
    this.#loaded = requestSlot()
  }

  load(request: Request): Session | null {
    const { cookie, cookie2, remove = false } = this.#configOf(request)
    const name = (cookie2 ?? cookie)?.name
    if (name === undefined) return null
    const origin = sessionOrigin(request)
    const loaded = this.#loaded.get(origin)
    const known = loaded?.get(name)
    if (known !== undefined) return known
    const session = newSession(this.#services.readCookie(origin, name, { remove }))
    // httpd does not remember a session whose cookie it has removed.
    if (!remove) {
      if (loaded === undefined) this.#loaded.set(origin, new Map([[name, session]]))
      else loaded.set(name, session)
    }
    // Caches must not keep pages for one client.
    request.headersOut.add('Cache-Control', 'no-cache, private')
    return session
  }

  save(request: Request, session: Session): Outcome {
    const { cookie, cookie2 } = this.#configOf(request)
    if (cookie === undefined && cookie2 === undefined) return DECLINED
    if (cookie !== undefined) write(request, 'Set-Cookie', cookie, session)
    if (cookie2 !== undefined) write(request, 'Set-Cookie2', cookie2, session)
    return OK
  }
}

function write(request: Request, field: string, cookie: CookieWords, { encoded, maxAge }: Session): void {
  const { errHeadersOut, headersOut } = request
  if (encoded === null || encoded === '') {
    const removal = `${cookie.name}=;Max-Age=0;${cookie.attributes}`
    headersOut.add(field, removal)
    errHeadersOut.add(field, removal)
    return
  }
  errHeadersOut.add(field, cookieField(cookie, encoded, maxAge))
}
