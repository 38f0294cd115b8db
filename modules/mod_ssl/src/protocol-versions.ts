/** Versions by bit, oldest first. */
const VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const
const ALL = 15

/** A version, as Node names it. */
export type ProtocolVersion = (typeof VERSIONS)[number]
/** A set of versions, one bit each in the order of their age. */
export type ProtocolSet = number

/** Every version: SSLProtocol's default. */
export const ALL_PROTOCOLS: ProtocolSet = ALL

/** What a line of SSLProtocol or SSLProxyProtocol means. */
export type ProtocolLine =
  | { readonly error: string }
  /** `overriding`: words without sign that replaced those before them, each of which httpd warns of. */
  | { readonly protocols: ProtocolSet; readonly overriding: readonly string[] }

/**
 * Reads the words of a line. A line begins with no version; a word without sign replaces all before it.
 * @param directive its name, for messages
 */
export function readProtocols(directive: string, words: readonly string[]): ProtocolLine {
  let protocols = 0
  const overriding: string[] = []
  for (const word of words) {
    const sign = word[0] === '+' || word[0] === '-' ? word[0] : ''
    const name = word.slice(sign.length)
    const lower = name.toLowerCase()
    if (lower === 'sslv2' || lower === 'sslv3') {
      if (sign === '-') continue
      return {
        error: lower === 'sslv2' ? 'SSLProtocol: SSLv2 is no longer supported' : 'SSLv3 not supported by this version of OpenSSL',
      }
    }
    const bits = lower === 'all' ? ALL : bitOf(lower)
    if (bits === 0) return { error: `${directive}: Illegal protocol '${name}'` }
    if (sign === '-') protocols &= ~bits
    else if (sign === '+') protocols |= bits
    else {
      if (protocols !== 0) overriding.push(name)
      protocols = bits
    }
  }
  return { protocols, overriding }
}

function bitOf(name: string): number {
  const index = VERSIONS.findIndex((version) => version.toLowerCase() === name)
  return index < 0 ? 0 : 1 << index
}

/**
 * The oldest and the newest version: from the newest on downwards until one is missing, because there are no
 * gaps. Undefined when there is none.
 */
export function versionRange(
  protocols: ProtocolSet,
): { readonly min: ProtocolVersion; readonly max: ProtocolVersion } | undefined {
  let newest = VERSIONS.length - 1
  while (newest >= 0 && (protocols & (1 << newest)) === 0) newest--
  if (newest < 0) return undefined
  let oldest = newest
  while (oldest > 0 && (protocols & (1 << (oldest - 1))) !== 0) oldest--
  return { min: VERSIONS[oldest], max: VERSIONS[newest] }
}
