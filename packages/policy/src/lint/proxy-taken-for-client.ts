import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { candidateClients } from '../stages/candidate-clients.ts'
import { closingPlace } from '../stages/closing-place.ts'
import { directivesNamed, FORWARDED_FIELD } from './forwarded-address.ts'
import { isPrivateAddress } from './private-address.ts'

/**
 * A private network is granted access on a server behind a proxy, where every client has the proxy's address.
 */
export const proxyTakenForClient: Rule = {
  id: 'GW014',
  about: 'a private network that is granted access, although without mod_remoteip all clients have the address of a proxy',
  severity: 'warning',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    const sign = signOfProxy(site)
    if (sign !== null) for (const observation of site.observations) found.push(...(await letIn(site, observation, sign)))
    return found
  },
}

/**
 * The place where the configuration reads the client address that a proxy reports; null if it does not, or if
 * mod_remoteip does so.
 */
function signOfProxy(site: LintedSite): string | null {
  if (directivesNamed(site, /^remoteip(?:header|proxyprotocol)$/i).length > 0) return null
  const sign = directivesNamed(site, /^(?:logformat|customlog|setenvif|setenvifnocase)$/i).find(({ item }) =>
    FORWARDED_FIELD.test(item.text),
  )
  if (sign === undefined) return null
  return `${sign.item.name} reads ${FORWARDED_FIELD.exec(sign.item.text)?.[1] ?? ''} in ${sign.place.file}:${sign.place.line}`
}

async function letIn(site: LintedSite, { stage, question }: Observation, sign: string): Promise<Found[]> {
  const closing = stage.sections.findLast((section) => section.require?.inForce === true || section.hostRules?.inForce === true)
  if (stage.access !== 'refused' || closing === undefined) return []
  for (const client of candidateClients([stage], question.client, new Map()).filter(isPrivateAddress)) {
    const shownBy = await site.ask({ ...question, client, headers: [['X-Forwarded-For', question.client]] })
    if (shownBy?.stage.access !== 'granted') continue
    return [
      {
        place: closingPlace(closing),
        message: `a proxy with the address ${client} opens this to everybody: ${sign}, but the address of the connection decides about access`,
        hint: 'if there is a proxy, load mod_remoteip and add RemoteIPHeader and RemoteIPInternalProxy; if there is none, remove the field from the log',
        shownBy,
      },
    ]
  }
  return []
}
