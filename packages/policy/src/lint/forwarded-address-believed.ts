import type { Place } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { regexSamples } from '../site/regex-samples.ts'
import { candidateClients } from '../stages/candidate-clients.ts'
import { directivesNamed, FORWARDED_FIELD } from './forwarded-address.ts'

/** A header field that names the client is trusted, regardless of its sender. */
export const forwardedAddressBelieved: Rule = {
  id: 'GW015',
  about: 'X-Forwarded-For or a similar field that is trusted from every client',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const claims = [...remoteIpClaims(site), ...variableClaims(site)]
    const found: Found[] = []
    for (const observation of claims.length === 0 ? [] : site.observations)
      found.push(...(await letIn(site, observation, claims)))
    return found
  },
}

/** The fields that a stranger could send, and the directive that trusts them. */
interface Claim {
  readonly field: string
  values(observation: Observation): readonly string[]
  readonly place: Place
  readonly message: string
  readonly hint: string
}

/** Without a list of proxies, mod_remoteip treats every client as one. */
function remoteIpClaims(site: LintedSite): Claim[] {
  if (directivesNamed(site, /^remoteip(?:internal|trusted)proxy(?:list)?$/i).length > 0) return []
  return directivesNamed(site, /^remoteipheader$/i).map(({ item, place }) => ({
    field: item.words[0] ?? '',
    values: ({ stage, question }) => candidateClients([stage], question.client, new Map()),
    place,
    message: `the server trusts ${item.words[0]} from every client, because no proxy is named: a stranger gains access with an arbitrary address`,
    hint: 'name the proxies with RemoteIPInternalProxy, or with RemoteIPTrustedProxy if others operate them',
  }))
}

/** `SetEnvIf X-Forwarded-For ^10\. inside`, for `Require env inside` or Allow from env=inside. */
function variableClaims(site: LintedSite): Claim[] {
  return directivesNamed(site, /^setenvif(?:nocase)?$/i).flatMap(({ item, place }) => {
    const [field = '', pattern = '', variable = ''] = item.words
    const values = FORWARDED_FIELD.test(field) ? regexSamples(pattern) : []
    if (values.length === 0) return []
    return {
      field,
      values: () => values,
      place,
      message: `${item.name} sets ${variable} for every client that sends ${field}: a stranger who does gains access`,
      hint: 'read the field with mod_remoteip from named proxies, and write Require ip',
    }
  })
}

async function letIn(site: LintedSite, observation: Observation, claims: readonly Claim[]): Promise<Found[]> {
  const { stage, question } = observation
  if (stage.access !== 'refused' && stage.access !== 'challenged') return []
  for (const { field, values, place, message, hint } of claims)
    for (const value of values(observation)) {
      const shownBy = await site.ask({ ...question, headers: [[field, value]] })
      if (shownBy?.stage.access === 'granted') return [{ place, message, hint, shownBy }]
    }
  return []
}
