/** SSLSessionCache and SSLStaplingCache. */
export type CacheChoice =
  /** `none`; `nonenotnull` sends session identifiers all the same. */
  | { readonly kind: 'none' | 'nonenotnull' }
  | {
      readonly kind: 'shared'
      /** Bytes. */
      readonly size: number
    }

const DEFAULT_SIZE = 512 * 1024
const SMALLEST = 8192
const LARGEST = 4294967295
/** The kinds of mod_socache_shmcb, which is part of this server. */
const SHARED: ReadonlySet<string> = new Set(['shmcb', 'default'])

/**
 * Reads `KIND[:ARGUMENT]`.
 * @param unknown makes the message about a kind that there is not
 */
export function readCacheArgument(
  text: string,
  unknown: (kind: string, known: string) => string,
): CacheChoice | { readonly error: string } {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  if (!SHARED.has(kind)) return { error: unknown(kind, [...SHARED].sort().join(',')) }
  const size = sizeIn(colon < 0 ? '' : text.slice(colon + 1))
  return typeof size === 'number' ? { kind: 'shared', size } : { error: `Invalid argument: ${size}` }
}

/** The size in `PATH(SIZE)`, or what is wrong with it. */
function sizeIn(argument: string): number | string {
  const open = argument.lastIndexOf('(')
  if (open < 0) return argument.endsWith(')') ? 'no opening parenthesis' : DEFAULT_SIZE
  if (!argument.endsWith(')')) return 'no closing parenthesis or cache size missing after pathname with parenthesis'
  const digits = argument.slice(open + 1, -1)
  if (!/^\s*[-+]?\d*$/.test(digits)) return 'cache size not numerical'
  const size = Number(digits)
  // httpd keeps it without sign.
  if (size < 0 || size >= LARGEST) return `size has to be < ${LARGEST} bytes on this platform`
  return size < SMALLEST ? `size has to be >= ${SMALLEST} bytes` : size
}
