import { isLoopback, isNetworkError, matchesNetwork, parseAddress, parseNetwork } from '@gatewright/ipset'
import type { Place, Surprise } from '../explanation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'
import { argumentWords, leaves } from '../stages/tree-node.ts'
import type { SurpriseContext } from './context.ts'

interface ListedWord {
  readonly word: string
  readonly place: Place
}

/** 127.0.0.1 is listed and ::1 is not: many clients on the machine itself come from ::1. */
export function ipv6Loopback({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
  const host = hostRulesInForce(stage)
  const allowed = host?.rules.words.filter(({ list }) => list === 'Allow') ?? []
  const required = stage.sections.flatMap(({ require }) =>
    require?.inForce === true ? leaves(require.tree).filter(({ negated }) => !negated) : [],
  )
  if (required.some(({ line }) => line?.provider === 'local' || line?.provider === 'all'))
    return missingIn(allowed, 'Allow from ::1')
  const listed = required
    .filter(({ line }) => line?.provider === 'ip')
    .flatMap((node) => argumentWords(node).map((word) => ({ word, place: node.place })))
  return [...missingIn(allowed, 'Allow from ::1'), ...missingIn(listed, 'Require local')]
}

function missingIn(words: readonly ListedWord[], remedy: string): Surprise[] {
  const loopback6 = parseAddress('::1')
  let listed: ListedWord | undefined
  for (const one of words) {
    if (one.word.toLowerCase() === 'all') return []
    const network = parseNetwork(one.word)
    if (isNetworkError(network) || loopback6 === undefined) continue
    if (matchesNetwork(network, loopback6)) return []
    if (network.address.family === 4 && isLoopback(network.address)) listed ??= one
  }
  if (listed === undefined) return []
  return [
    {
      name: '::1 missing',
      text: `${listed.word} is listed and ::1 is not, so clients on this machine that come over IPv6 are denied; add ${remedy}.`,
      places: [listed.place],
    },
  ]
}
