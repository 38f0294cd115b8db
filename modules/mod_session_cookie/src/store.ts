import { DECLINED, type HostServices, type ModuleHost, OK, type Outcome, type Request, type Slot } from '@gatewright/api'
import { newSession, type Session } from '@gatewright/api/peers'
import type { CookieConfig, SessionCookie } from './config.ts'

/** What httpd writes for a cookie without attributes. */
const STANDARD_ATTRIBUTES = 'HttpOnly;Secure;Version=1'

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
    const origin = originOf(request)
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

/** httpd keeps sessions with the first request of a chain of redirects, and with the main request of that. */
function originOf(request: Request): Request {
  let origin = request
  while (origin.prev !== null) origin = origin.prev
  while (origin.main !== null) origin = origin.main
  return origin
}

function write(request: Request, field: string, { name, attributes }: SessionCookie, { encoded, maxAge }: Session): void {
  const { errHeadersOut, headersOut } = request
  if (encoded === null || encoded === '') {
    const removal = `${name}=;Max-Age=0;${attributes}`
    headersOut.add(field, removal)
    errHeadersOut.add(field, removal)
    return
  }
  const age = maxAge === 0 ? '' : `Max-Age=${maxAge};`
  errHeadersOut.add(field, `${name}=${encoded};${age}${attributes === '' ? STANDARD_ATTRIBUTES : attributes}`)
}
