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

/** The line that shows that the configuration expects a proxy. */
interface SignOfProxy {
  readonly text: string
  /** What to do with the line if there is no proxy. */
  readonly withoutProxy: string
}

/**
 * The place where the configuration reads the client address that a proxy reports; null if it does not, or if
 * mod_remoteip does so.
 */
function signOfProxy(site: LintedSite): SignOfProxy | null {
  if (directivesNamed(site, /^remoteip(?:header|proxyprotocol)$/i).length > 0) return null
  const sign = directivesNamed(site, /^(?:logformat|customlog|setenvif|setenvifnocase)$/i).find(({ item }) =>
    FORWARDED_FIELD.test(item.text),
  )
  if (sign === undefined) return null
  const isVariable = /^setenvif/i.test(sign.item.name)
  return {
    text: `${sign.item.name} reads ${FORWARDED_FIELD.exec(sign.item.text)?.[1] ?? ''} in ${sign.place.file}:${sign.place.line}`,
    withoutProxy: isVariable
      ? `remove the ${sign.item.name} line, because clients can write anything into the field`
      : `remove the field from the ${sign.item.name} line`,
  }
}

async function letIn(site: LintedSite, { stage, question }: Observation, sign: SignOfProxy): Promise<Found[]> {
  const closing = stage.sections.findLast((section) => section.require?.inForce === true || section.hostRules?.inForce === true)
  if (stage.access !== 'refused' || closing === undefined) return []
  for (const client of candidateClients([stage], question.client, new Map()).filter(isPrivateAddress)) {
    const shownBy = await site.ask({ ...question, client, headers: [['X-Forwarded-For', question.client]] })
    if (shownBy?.stage.access !== 'granted') continue
    return [
      {
        place: closingPlace(closing),
        message: `a proxy with the address ${client} opens this to everybody: ${sign.text}, but the address of the connection decides about access`,
        hint: `if there is a proxy, load mod_remoteip and add RemoteIPHeader and RemoteIPInternalProxy; if there is none, ${sign.withoutProxy}`,
        shownBy,
      },
    ]
  }
  return []
}
