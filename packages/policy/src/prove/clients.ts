import { type Address, isNetworkError, matchesNetwork, type Network, parseAddress, parseNetwork } from '@gatewright/ipset'
import type { RuleWords } from './words.ts'

/** A client that represents all clients that the rules cannot distinguish from it. */
export interface Client {
  readonly address: string
  /** Its name by double reverse lookup; null when it has none. */
  readonly name: string | null
}

/** Networks beyond which clients are not enumerated any more. */
const MAX_NETWORKS = 400
/** The limit for host names. */
const MAX_NAMES = 40
/** Addresses outside any particular network, reserved for documentation. */
const STRANGERS = ['192.0.2.1', '2001:db8::1']
const STRANGE_NETWORKS = ['192.0.2.0/24', '2001:db8::/64']

/**
 * One client for every set of networks that an address can be in, on either side of every boundary, each
 * without a name and under every name that rules distinguish.
 * @returns also whether there were too many to enumerate
 */
export function clientClasses({ networks, names, local }: RuleWords): {
  readonly clients: readonly Client[]
  readonly complete: boolean
} {
  const words = [...networks].slice(0, MAX_NETWORKS)
  const known = [...words, ...(local ? ['127.0.0.0/8', '::1'] : [])]
    .map((word) => parseNetwork(word))
    .filter((one): one is Network => !isNetworkError(one))
  const called = hostNames([...names].slice(0, MAX_NAMES))
  const classes = new Map<string, string[]>()
  for (const address of candidates(words, local, called.length + 1)) {
    const parsed = parseAddress(address)
    if (parsed === undefined) continue
    const key = `${parsed.family}${membership(parsed, known)}`
    const members = classes.get(key) ?? []
    if (members.length <= called.length && !members.includes(address)) members.push(address)
    classes.set(key, members)
  }
  const clients = [...classes.values()].flatMap((members) =>
    [null, ...called].flatMap((name, index) => (members[index] === undefined ? [] : [{ address: members[index], name }])),
  )
  // A class of one address cannot have every name.
  const roomy = [...classes.values()].every((members) => members.length > called.length)
  return { clients, complete: roomy && networks.size <= MAX_NETWORKS && names.size <= MAX_NAMES }
}

/** The lines of a hosts file by which clients have their names. */
export function hostsText(clients: readonly Client[]): string {
  return clients.map(({ address, name }) => (name === null ? '' : `${address} ${name}\n`)).join('')
}

/**
 * For each suffix a name that it matches and, if the rules distinguish them, the suffix itself; and a name
 * that no suffix matches.
 */
function hostNames(words: readonly string[]): string[] {
  if (words.length === 0) return []
  const bare = words.map((word) => word.toLowerCase().replace(/^\.+/, '')).filter((word) => /^[\w.-]+$/.test(word) && word !== '')
  return [...new Set([...bare, ...bare.map((word) => `a.${word}`), 'stranger.invalid'])]
}

function candidates(words: readonly string[], local: boolean, depth: number): string[] {
  const found = [...STRANGERS, ...(local ? ['127.0.0.1', '::1'] : [])]
  for (const word of [...STRANGE_NETWORKS, ...words]) {
    const bounds = boundsOf(word)
    if (bounds === null) continue
    const { first, last, bits } = bounds
    for (let step = 0n; step <= BigInt(depth); step++)
      for (const value of [first + step, last - step, first - 1n - step, last + 1n + step])
        if (value >= 0n && value < 1n << BigInt(bits)) found.push(addressText(value, bits))
  }
  return found
}

/**
 * First and last address of a network with a contiguous mask. For any other mask, the last address with all
 * unmasked bits set.
 */
function boundsOf(word: string): { readonly first: bigint; readonly last: bigint; readonly bits: 32 | 128 } | null {
  const network = parseNetwork(word)
  if (isNetworkError(network)) return null
  const { address, mask } = network
  const bits = address.family === 4 ? 32 : 128
  const value = numberOf(address)
  const free = ~numberOf({ ...mask, family: address.family }) & ((1n << BigInt(bits)) - 1n)
  return { first: value & ~free, last: (value & ~free) | free, bits }
}

function numberOf({ family, w0, w1, w2, w3 }: Address): bigint {
  const words = family === 4 ? [w0] : [w0, w1, w2, w3]
  return words.reduce((value, word) => (value << 32n) | BigInt(word >>> 0), 0n)
}

function addressText(value: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(':')
}

function membership(address: Address, networks: readonly Network[]): string {
  return networks.map((network) => (matchesNetwork(network, address) ? '1' : '0')).join('')
}
