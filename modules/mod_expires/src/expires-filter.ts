import { FILTER_RANK, type FilteredBody, type OutputFilter, type Request } from '@gatewright/api'
import { createHttpDateClock } from '@gatewright/api/text'
import type { ExpiresConfig } from './config.ts'
import type { Lifetime } from './lifetime.ts'

/**
 * Sets the caching lifetime of a response. Runs before all filters that change the body, and thus before
 * mod_headers.
 */
export class ExpiresFilter implements OutputFilter {
  readonly name = 'MOD_EXPIRES'
  readonly rank: number = FILTER_RANK.contentSet - 2
  readonly #configOf: (request: Request) => Readonly<ExpiresConfig>
  readonly #date: (ms: number) => string = createHttpDateClock()

  constructor(configOf: (request: Request) => Readonly<ExpiresConfig>) {
    this.#configOf = configOf
  }

  addTo(request: Request): void {
    if (request.main === null && request.status < 400 && this.#configOf(request).active === true) request.addOutputFilter(this)
  }

  filter(request: Request, body: FilteredBody): FilteredBody {
    const { errHeadersOut, headersOut, status } = request
    if (status >= 400 || errHeadersOut.has('Expires') || headersOut.has('Expires')) return body
    const lifetime = lifetimeOf(this.#configOf(request), request.contentType)
    if (lifetime !== undefined) this.#setFields(request, lifetime)
    return body
  }

  #setFields({ receivedAt, fileInfo, headersOut }: Request, { base, seconds }: Lifetime): void {
    if (base === 'modification' && fileInfo === null) return
    const from = base === 'modification' && fileInfo !== null ? fileInfo.mtimeMs : receivedAt
    const until = Math.max(receivedAt, from + seconds * 1000)
    headersOut.merge('Cache-Control', `max-age=${Math.floor((until - receivedAt) / 1000)}`)
    headersOut.set('Expires', this.#date(until))
  }
}

/** The most specific lifetime for a media type: of the type itself, of its main type, or the default. */
function lifetimeOf(
  { byType, hasWildcards, standard }: Readonly<ExpiresConfig>,
  contentType: string | null,
): Lifetime | undefined {
  if (contentType === null || byType.size === 0) return standard
  const end = contentType.indexOf(';')
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
  return byType.get(type) ?? (hasWildcards ? byType.get(`${type.slice(0, type.indexOf('/'))}/*`) : undefined) ?? standard
}
