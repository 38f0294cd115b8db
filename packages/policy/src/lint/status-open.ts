import { isLoopback, parseAddress } from '@gatewright/ipset'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { closingPlace } from '../stages/closing-place.ts'

/** A page about the server itself that every client may read. */
export const statusOpen: Rule = {
  id: 'GW013',
  about: 'server-status, server-info or another page about the server that is open to everybody',
  severity: 'error',
  isConfirmed: true,
  find: (site) => (isReached(site) ? site.observations.flatMap(found) : []),
}

/** Only the machine itself can connect to a server that listens only on loopback addresses. */
function isReached({ server }: LintedSite): boolean {
  return server.configuration.plan.listeners.some(({ address }) => {
    const parsed = parseAddress(address)
    return parsed === undefined || !isLoopback(parsed)
  })
}

function found(shownBy: Observation): Found[] {
  const { stage, recorded } = shownBy
  const handler = recorded.request.handler ?? ''
  if (stage.access !== 'granted' || !PRIVATE.has(handler)) return []
  const section = stage.sections.findLast(({ require }) => require?.inForce === true) ?? stage.sections.at(-1)
  if (section === undefined) return []
  const last = stage.sections.findLast(({ kind }) => kind === 'Location' || kind === 'LocationMatch') ?? section
  return [
    {
      place: last === section ? closingPlace(section) : last.place,
      message: `${handler} is open to everybody: ${EXPOSED[handler] ?? 'it shows or changes the state of the server'}`,
      hint: 'write Require local, or Require ip with the network of the administrators',
      shownBy,
    },
  ]
}

const EXPOSED: Readonly<Record<string, string>> = {
  'server-status': 'it shows the addresses of clients and the URLs that they request',
  'server-info': 'it shows the whole configuration',
}
const PRIVATE: ReadonlySet<string> = new Set([...Object.keys(EXPOSED), 'balancer-manager', 'ldap-status', 'perl-status'])
