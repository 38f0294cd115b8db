import { isNetworkError, looksLikeAddress, parseNetwork } from '@gatewright/ipset'
import type { HostWord } from './rule-list.ts'

/**
 * Parses one word after `Allow from` or `Deny from`; the first form that matches counts. @returns httpd's
 * error if it is malformed
 */
export function parseHostWord(word: string): HostWord | string {
  const lower = word.toLowerCase()
  if (lower.startsWith('env=!')) return { kind: 'env', name: word.slice(5), wanted: false }
  if (lower.startsWith('env=')) return { kind: 'env', name: word.slice(4), wanted: true }
  if (lower === 'all') return { kind: 'all' }
  if (word.includes('/') || looksLikeAddress(word)) {
    const network = parseNetwork(word)
    return isNetworkError(network) ? network.message : { kind: 'network', network }
  }
  if (word.includes('#')) return 'No comments are allowed here'
  return { kind: 'name', name: word }
}
