import { createSecureContext } from 'node:tls'
import { nodeCiphers } from './cipher-list.ts'
import { CIPHER_NAMES } from './cipher-names.ts'

/** Lists that are remembered; .htaccess files may name others without end. */
const MOST_LISTS = 100
const KNOWN = new Map<string | undefined, ReadonlySet<string>>()

/**
 * The ciphers before TLS 1.3 that a list of SSLCipherSuite permits, by OpenSSL's names. OpenSSL alone understands
 * its lists, and Node does not report what they contain, so each cipher is tried with all others excluded.
 * @param list undefined for the default list
 */
export function ciphersIn(list: string | undefined): ReadonlySet<string> {
  const set = KNOWN.get(list) ?? new Set(CIPHER_NAMES.filter((name) => permits(list, name)))
  // The list that was not used for longest comes first, and goes first.
  KNOWN.delete(list)
  KNOWN.set(list, set)
  if (KNOWN.size > MOST_LISTS) KNOWN.delete(KNOWN.keys().next().value)
  return set
}

function permits(list: string | undefined, name: string): boolean {
  const others = CIPHER_NAMES.filter((other) => other !== name).map((other) => `:!${other}`)
  try {
    createSecureContext({ ciphers: `${nodeCiphers(list, undefined)}${others.join('')}` })
    return true
  } catch {
    return false
  }
}
