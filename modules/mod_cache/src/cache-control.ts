/** What Cache-Control and Pragma say, of a request or of a response. Times are seconds; null for none. */
export interface CacheControl {
  readonly noCache: boolean
  readonly noStore: boolean
  readonly isPrivate: boolean
  readonly isPublic: boolean
  readonly mustRevalidate: boolean
  readonly proxyRevalidate: boolean
  readonly onlyIfCached: boolean
  readonly maxAge: number | null
  readonly sMaxAge: number | null
  /** Infinity without a limit. */
  readonly maxStale: number | null
  readonly minFresh: number | null
  /** The fields, in lower case, that `no-cache="..."` and `private="..."` keep out of caches. */
  readonly hiddenFields: ReadonlySet<string>
}

/**
 * Reads Cache-Control (RFC 9111 section 5.2) and Pragma. Unknown directives, and times that are no numbers, are ignored; of
 * two times the shorter one counts. A list of fields whose quotes are not closed hides the whole response.
 */
export function parseCacheControl(field: string | undefined, pragma: string | undefined): CacheControl {
  const words = new Set<string>()
  const times = new Map<string, number>()
  const hiddenFields = new Set<string>()
  for (const item of itemsOf(field ?? '')) {
    const equals = item.indexOf('=')
    const name = (equals < 0 ? item : item.slice(0, equals)).trim().toLowerCase()
    const value = equals < 0 ? null : item.slice(equals + 1).trim()
    if (TIMES.has(name)) {
      const time = value === null ? (name === 'max-stale' ? Number.POSITIVE_INFINITY : null) : secondsOf(value)
      if (time !== null) times.set(name, Math.min(times.get(name) ?? Number.POSITIVE_INFINITY, time))
    } else if (value !== null && (name === 'no-cache' || name === 'private')) {
      const names = fieldNames(value)
      if (names === null) words.add(name)
      else for (const one of names) hiddenFields.add(one)
    } else words.add(name)
  }
  if (pragma !== undefined && itemsOf(pragma).some((item) => item.trim().toLowerCase() === 'no-cache')) words.add('no-cache')
  return {
    noCache: words.has('no-cache'),
    noStore: words.has('no-store'),
    isPrivate: words.has('private'),
    isPublic: words.has('public'),
    mustRevalidate: words.has('must-revalidate'),
    proxyRevalidate: words.has('proxy-revalidate'),
    onlyIfCached: words.has('only-if-cached'),
    maxAge: times.get('max-age') ?? null,
    sMaxAge: times.get('s-maxage') ?? null,
    maxStale: times.get('max-stale') ?? null,
    minFresh: times.get('min-fresh') ?? null,
    hiddenFields,
  }
}

const TIMES: ReadonlySet<string> = new Set(['max-age', 's-maxage', 'max-stale', 'min-fresh'])

/** The parts between commas outside quotes. */
function itemsOf(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/g) ?? []
}

function secondsOf(value: string): number | null {
  const digits = /^"?(\d+)"?$/.exec(value)
  return digits === null ? null : Math.min(Number(digits[1]), MAX_SECONDS)
}

/** A century: more has no meaning. */
const MAX_SECONDS = 100 * 365 * 86_400

/** The names of a list of fields in lower case; null if its quotes are not closed. */
function fieldNames(value: string): string[] | null {
  if (value.startsWith('"') && !/^"[^"]*"$/.test(value)) return null
  return value
    .replaceAll('"', '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
}
