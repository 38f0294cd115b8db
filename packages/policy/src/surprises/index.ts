import type { Surprise } from '../explanation.ts'
import type { SurpriseContext, SurpriseFinder } from '../mistakes/context.ts'
import { everybodyBeside } from '../mistakes/everybody-beside.ts'
import { grantedUnderDeny } from '../mistakes/granted-under-deny.ts'
import { idleNegation } from '../mistakes/idle-negation.ts'
import { ipv6Loopback } from '../mistakes/ipv6-loopback.ts'
import { satisfyAny } from '../mistakes/satisfy-any.ts'
import { skippedGuard } from '../mistakes/skipped-guard.ts'
import { denyBeatsAllow } from './deny-beats-allow.ts'
import { overriddenSection } from './overridden-section.ts'
import { precedence } from './precedence.ts'
import { unseenCredentials } from './unseen-credentials.ts'

const FINDERS: readonly SurpriseFinder[] = [
  precedence,
  satisfyAny.surprises,
  denyBeatsAllow,
  overriddenSection,
  grantedUnderDeny.surprises,
  everybodyBeside.surprises,
  idleNegation.surprises,
  unseenCredentials,
  ipv6Loopback.surprises,
  skippedGuard.surprises,
]

/** All aspects of a decision that are easily misunderstood. */
export async function findSurprises(context: SurpriseContext): Promise<Surprise[]> {
  const found: Surprise[] = []
  for (const finder of FINDERS) found.push(...(await finder(context)))
  return found
}
