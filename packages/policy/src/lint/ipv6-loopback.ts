import { ipv6Loopback as ipv6LoopbackOf } from '../mistakes/ipv6-loopback.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'

/** 127.0.0.1 may come in and ::1, which is the same machine, may not. */
export const ipv6Loopback: Rule = {
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
}

function listensOnIpv6({ server }: LintedSite): boolean {
  return server.snapshot.plan.listeners.some(({ address }) => address === '*' || address.includes(':'))
}

async function leftOut(site: LintedSite, observation: Observation): Promise<Found[]> {
  const { question } = observation
  const [surprise] = ipv6LoopbackOf(observation)
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
