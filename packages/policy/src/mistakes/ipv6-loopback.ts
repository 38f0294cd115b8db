import { isLoopback, isNetworkError, matchesNetwork, parseAddress, parseNetwork } from '@gatewright/ipset'
import type { Place, Surprise } from '../explanation.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'
import { argumentWords, leaves } from '../stages/tree-node.ts'
import type { SurpriseContext } from './context.ts'
import type { Mistake } from './mistake.ts'
import type { Found } from './rule.ts'

/** 127.0.0.1 is listed but ::1 is not: many clients on the machine itself connect from ::1. */
export const ipv6Loopback: Mistake = {
  surprises,
  rule: {
    id: 'GW010',
    about: '127.0.0.1 without ::1',
    severity: 'note',
    isConfirmed: true,
    async find(site) {
      const found: Found[] = []
      if (!listensOnIpv6(site)) return found
      for (const observation of site.observations) found.push(...(await leftOut(site, observation)))
      return found
    },
  },
}

function surprises({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
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

interface ListedWord {
  readonly word: string
  readonly place: Place
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

function listensOnIpv6({ server }: LintedSite): boolean {
  return server.configuration.plan.listeners.some(({ address }) => address === '*' || address.includes(':'))
}

async function leftOut(site: LintedSite, observation: Observation): Promise<Found[]> {
  const { question } = observation
  const [surprise] = surprises(observation)
  if (surprise === undefined) return []
  const over4 = await site.ask({ ...question, client: '127.0.0.1' })
  const shownBy = await site.ask({ ...question, client: '::1' })
  if (over4?.stage.access !== 'granted' || shownBy === null || shownBy.stage.access === 'granted') return []
  return [
    {
      place: surprise.places[0],
      message:
        '127.0.0.1 is granted and ::1 is not: which address a client on this machine has depends on how it resolves localhost',
      hint: 'write Require local, or add Allow from ::1',
      shownBy,
    },
  ]
}
