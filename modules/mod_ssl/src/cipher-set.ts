import { createSecureContext } from 'node:tls'
import { nodeCiphers } from './cipher-list.ts'
import { CIPHER_NAMES } from './cipher-names.ts'

const KNOWN = new Map<string | undefined, ReadonlySet<string>>()

/**
 * The ciphers before TLS 1.3 that a list of SSLCipherSuite permits, by OpenSSL's names. OpenSSL alone understands
 * its lists, and Node does not report what they contain, so each cipher is tried with all others excluded.
 * @param list undefined for the default list
 */
export function ciphersIn(list: string | undefined): ReadonlySet<string> {
  let set = KNOWN.get(list)
  if (set === undefined) {
    set = new Set(CIPHER_NAMES.filter((name) => permits(list, name)))
    KNOWN.set(list, set)
  }
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
