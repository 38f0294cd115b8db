import { everybodyBeside } from '../mistakes/everybody-beside.ts'
import { grantedUnderDeny } from '../mistakes/granted-under-deny.ts'
import { idleNegation } from '../mistakes/idle-negation.ts'
import { ipv6Loopback } from '../mistakes/ipv6-loopback.ts'
import type { Rule } from '../mistakes/rule.ts'
import { satisfyAny } from '../mistakes/satisfy-any.ts'
import { skippedGuard } from '../mistakes/skipped-guard.ts'
import { aliasTwin } from './alias-twin.ts'
import { allowBeatenByDeny } from './allow-beaten-by-deny.ts'
import { allowWithoutDeny } from './allow-without-deny.ts'
import { forwardedAddressBelieved } from './forwarded-address-believed.ts'
import { letterCase } from './letter-case.ts'
import { limitLeavesMethods } from './limit-leaves-methods.ts'
import { locationOverDirectory } from './location-over-directory.ts'
import { loneNegative } from './lone-negative.ts'
import { mixedDialects } from './mixed-dialects.ts'
import { programSourceServed } from './program-source-served.ts'
import { proxyNamedAsClient } from './proxy-named-as-client.ts'
import { proxyTakenForClient } from './proxy-taken-for-client.ts'
import { replacedSection } from './replaced-section.ts'
import { rewriteBanAvoided } from './rewrite-ban-avoided.ts'
import { statusOpen } from './status-open.ts'
import { symlinkTwin } from './symlink-twin.ts'
import { unreadAccessFile } from './unread-access-file.ts'
import { usersFileServed } from './users-file-served.ts'

/** Every rule, by id. */
export const RULES: readonly Rule[] = [
  satisfyAny.rule,
  skippedGuard.rule,
  unreadAccessFile,
  locationOverDirectory,
  aliasTwin,
  letterCase,
  loneNegative,
  everybodyBeside.rule,
  replacedSection,
  ipv6Loopback.rule,
  mixedDialects,
  usersFileServed,
  statusOpen,
  proxyTakenForClient,
  forwardedAddressBelieved,
  proxyNamedAsClient,
  limitLeavesMethods,
  allowWithoutDeny,
  idleNegation.rule,
  symlinkTwin,
  rewriteBanAvoided,
  programSourceServed,
  allowBeatenByDeny,
  grantedUnderDeny.rule,
]
