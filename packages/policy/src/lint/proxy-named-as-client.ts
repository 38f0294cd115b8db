import type { Place } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { argumentWords, leaves } from '../stages/tree-node.ts'
import { directivesNamed } from './forwarded-address.ts'

/**
 * The address of a proxy is granted access, but mod_remoteip has already replaced it with that of the client.
 */
export const proxyNamedAsClient: Rule = {
  id: 'GW016',
  about: 'the address of a proxy that is granted access, although mod_remoteip replaces it',
  severity: 'warning',
  isConfirmed: true,
  async find(site) {
    const proxies = new Set(
      directivesNamed(site, /^remoteip(?:internal|trusted)proxy$/i).flatMap(({ item }) =>
        item.words.filter((word) => !word.includes('/')),
      ),
    )
    const field = directivesNamed(site, /^remoteipheader$/i).at(0)?.item.words[0]
    const found: Found[] = []
    if (field === undefined || proxies.size === 0) return found
    for (const observation of site.observations)
      for (const { word, place } of clientsOf(observation))
        if (proxies.has(word)) found.push(...(await notMeant(site, observation, { word, place, field })))
    return found
  },
}

function clientsOf({ stage }: Observation): { readonly word: string; readonly place: Place }[] {
  return stage.sections.flatMap(({ require, hostRules }) => [
    ...(hostRules?.inForce === true ? hostRules.words.filter(({ list }) => list === 'Allow') : []),
    ...(require?.inForce === true
      ? leaves(require.tree)
          .filter(({ line, negated }) => line?.provider === 'ip' && !negated)
          .flatMap((node) => argumentWords(node).map((word) => ({ word, place: node.place })))
      : []),
  ])
}

async function notMeant(
  site: LintedSite,
  { question }: Observation,
  { word, place, field }: { readonly word: string; readonly place: Place; readonly field: string },
): Promise<Found[]> {
  const shownBy = await site.ask({ ...question, client: word, headers: [[field, question.client]] })
  if (shownBy === null || shownBy.stage.access === 'granted') return []
  return [
    {
      place,
      message: `${word} is a proxy, and this rule grants none of its clients: ${field} has replaced its address with that of the client`,
      hint: 'name the clients; if the proxy itself is meant, for example for health checks, add # gatewright-ignore GW016',
      shownBy,
    },
  ]
}
