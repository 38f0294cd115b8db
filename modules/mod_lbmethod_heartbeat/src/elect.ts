import type { ProxyBalancer, ProxyMember } from '@gatewright/api'
import { proxyWorkerStates } from '@gatewright/api'
import type { KnownServer } from './known-servers.ts'

/** A server that was not heard of for this time, in seconds, gets no requests. */
const LONGEST_SILENCE = 10

/**
 * A member by chance, by the free places of their servers. As in httpd, the ends of their intervals belong to both neighbours
 * and the later member has precedence, so a member without a free place may follow one that has some; of several members on
 * one host the last one serves.
 * @param servers by address
 * @param random from 0 to below 1
 * @param unknown called for a member of which nothing was heard
 */
export function electByHeartbeat(
  { members }: ProxyBalancer,
  servers: ReadonlyMap<string, KnownServer>,
  random: () => number,
  unknown: (member: ProxyMember) => void,
): ProxyMember | null {
  const candidates: string[] = []
  const serving = new Map<string, ProxyMember>()
  let places = 0
  for (const member of members) {
    const server = servers.get(member.hostname)
    if (server === undefined) {
      unknown(member)
      continue
    }
    if ((member.status & proxyWorkerStates.draining) !== 0) continue
    if (!member.isUsable && !(member.retry() && member.isUsable)) continue
    serving.set(member.hostname, member)
    if (server.age >= LONGEST_SILENCE) continue
    places += server.places
    candidates.push(member.hostname)
  }
  if (places === 0) return null
  const pick = Math.floor(random() * (places + 1))
  let elected: ProxyMember | null = null
  let from = 0
  for (const hostname of candidates) {
    const to = from + (servers.get(hostname)?.places ?? 0)
    if (pick >= from && pick <= to) elected = serving.get(hostname) ?? null
    from = to
  }
  return elected
}
