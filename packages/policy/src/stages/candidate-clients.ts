import { type Address, isNetworkError, parseAddress, parseNetwork } from '@gatewright/ipset'
import type { Stage } from '../explanation.ts'
import { networkMember } from './network-member.ts'
import { argumentWords, linesOfSections } from './tree-node.ts'

/**
 * Clients that no rule names: addresses reserved for documentation (RFC 5737, RFC 3849), and the machine
 * itself.
 */
const STRANGERS = ['192.0.2.1', '2001:db8::1']
const LOCAL = ['127.0.0.1', '::1']

/** Maximum number of rule words that are examined: lists may have a hundred thousand. */
const MAX_WORDS = 200

/**
 * Addresses for which the decision may differ from that for a client: one of each network in the rules,
 * nearest first, then strangers.
 */
export function candidateClients(
  stages: readonly Stage[],
  client: string,
  addressesOf: ReadonlyMap<string, readonly string[]>,
): string[] {
  const named = new Set<string>()
  for (const word of clientWords(stages)) {
    const network = parseNetwork(word)
    if (!isNetworkError(network)) named.add(networkMember(network))
    for (const address of addressesOf.get(word) ?? []) named.add(address)
  }
  const ours = parseAddress(client)
  const nearest = [...named].sort((a, b) => distance(ours, parseAddress(a)) - distance(ours, parseAddress(b)))
  return [...new Set([...nearest, ...LOCAL, ...STRANGERS])].filter((address) => address !== client)
}

/** Every address, network and host name in the rules that apply. */
export function clientWords(stages: readonly Stage[]): string[] {
  const allowedOrDenied = stages.flatMap(({ sections }) =>
    sections.flatMap(({ hostRules }) => (hostRules?.words ?? []).map(({ word }) => word)),
  )
  const required = linesOfSections(stages).filter(({ line }) => line !== null && HOST_PROVIDERS.has(line.provider))
  return [...new Set([...allowedOrDenied, ...required.flatMap(argumentWords)])].slice(0, MAX_WORDS)
}

const HOST_PROVIDERS: ReadonlySet<string> = new Set(['ip', 'host', 'forward-dns'])

/** Smaller for addresses that have more leading bits in common. */
function distance(from: Address | undefined, to: Address | undefined): number {
  if (from === undefined || to === undefined || from.family !== to.family) return 1000
  const words = [from.w0 ^ to.w0, from.w1 ^ to.w1, from.w2 ^ to.w2, from.w3 ^ to.w3]
  const at = words.findIndex((word) => word !== 0)
  return at < 0 ? 0 : 128 - 32 * at - Math.clz32(words[at])
}
