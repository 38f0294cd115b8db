/** Default size of a cache in bytes, as in httpd's shmcb. */
export const DEFAULT_SIZE: number = 512 * 1024
const SMALLEST = 8192
const LARGEST = 64 * 1024 * 1024

/**
 * Kinds of shared cache in httpd; `default` is shmcb. The value shows whether the kind requires a list of
 * servers.
 */
const KINDS: Readonly<Record<string, 'alone' | 'servers'>> = {
  shmcb: 'alone',
  default: 'alone',
  dbm: 'alone',
  memcache: 'servers',
  redis: 'servers',
}

/**
 * Parses `KIND[:ARGUMENT]`, the argument of AuthnCacheSOCache. All kinds have the same effect, so the
 * argument is only checked, except for its size.
 * @returns the size in bytes, or an error text
 */
export function readSocacheArgument(text: string): number | string {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const argument = colon < 0 ? '' : text.slice(colon + 1)
  if (!Object.hasOwn(KINDS, kind)) {
    return `Unknown socache provider '${text}'. Maybe you need to load the appropriate socache module (mod_socache_${text}?)`
  }
  if (KINDS[kind] === 'servers' && colon < 0) return `List of server names required to create ${kind} socache.`
  return kind === 'shmcb' || kind === 'default' ? sizeIn(argument) : DEFAULT_SIZE
}

/** The size in `PATH(SIZE)`. */
function sizeIn(argument: string): number | string {
  const open = argument.lastIndexOf('(')
  if (open < 0) return argument.endsWith(')') ? 'Invalid argument: no opening parenthesis' : DEFAULT_SIZE
  if (!argument.endsWith(')')) {
    return 'Invalid argument: no closing parenthesis or cache size missing after pathname with parenthesis'
  }
  const digits = argument.slice(open + 1, -1)
  if (!/^\s*[-+]?\d+$/.test(digits)) return 'Invalid argument: cache size not numerical'
  const size = Number(digits)
  if (size < SMALLEST) return `Invalid argument: size has to be >= ${SMALLEST} bytes`
  if (size >= LARGEST) return `Invalid argument: size has to be < ${LARGEST} bytes on this platform`
  return size
}
