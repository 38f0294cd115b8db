import { isNetworkError, looksLikeAddress, parseNetwork } from '@gatewright/ipset'
import type { Writing } from './writing.ts'

/** The equivalent of a word after `from` in a Require line. */
export type HostTerm =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'nobody' }
  /** Matches when the line does. */
  | {
      readonly kind: 'line'
      readonly provider: 'ip' | 'host' | 'env'
      readonly argument: string
      readonly writing?: Writing
    }
  /** Matches when the line does not. */
  | { readonly kind: 'negated line'; readonly provider: 'env'; readonly argument: string; readonly writing?: Writing }
  | { readonly kind: 'unsaid'; readonly reason: string }

/** Parses one word; the first matching form applies, as in mod_access_compat. */
export function hostTerm(word: string, writing?: Writing): HostTerm {
  const lower = word.toLowerCase()
  if (lower === 'all') return { kind: 'everybody' }
  if (lower.startsWith('env=!')) {
    const name = word.slice(5)
    if (name === '') return { kind: 'everybody' }
    if (!isPlain(name)) return strange(word)
    return { kind: 'negated line', provider: 'env', argument: name, writing: prefixed('env=!', writing) }
  }
  if (lower.startsWith('env=')) {
    const name = word.slice(4)
    if (name === '') return { kind: 'nobody' }
    return isPlain(name) ? { kind: 'line', provider: 'env', argument: name, writing: prefixed('env=', writing) } : strange(word)
  }
  if (word.includes('/') || looksLikeAddress(word)) {
    const network = parseNetwork(word)
    if (isNetworkError(network)) return { kind: 'unsaid', reason: `'${word}' is not an address: ${network.message}` }
    return { kind: 'line', provider: 'ip', argument: word, writing }
  }
  return isPlain(word) ? { kind: 'line', provider: 'host', argument: word, writing } : strange(word)
}

/** Undefined if the prefix comes from the variable. */
function prefixed(prefix: string, writing: Writing | undefined): Writing | undefined {
  if (writing === undefined || !writing.text.toLowerCase().startsWith(prefix)) return undefined
  return { ...writing, text: writing.text.slice(prefix.length) }
}

/**
 * Require splits its words at quotes and blanks and evaluates expressions in names; Allow and Deny do not.
 */
function isPlain(word: string): boolean {
  return /^[\w.:*+@~-]+$/.test(word)
}

function strange(word: string): HostTerm {
  return { kind: 'unsaid', reason: `'${word}' has a different meaning in Require` }
}
