import type { Rule } from '../mistakes/rule.ts'
import { aliasTwin } from './alias-twin.ts'
import { allowWithoutDeny } from './allow-without-deny.ts'
import { everybodyBeside } from './everybody-beside.ts'
import { forwardedAddressBelieved } from './forwarded-address-believed.ts'
import { idleNegation } from './idle-negation.ts'
import { ipv6Loopback } from './ipv6-loopback.ts'
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
import { satisfyAnyVoids } from './satisfy-any-voids.ts'
import { skippedGuardOpens } from './skipped-guard-opens.ts'
import { statusOpen } from './status-open.ts'
import { symlinkTwin } from './symlink-twin.ts'
import { unreadAccessFile } from './unread-access-file.ts'
import { usersFileServed } from './users-file-served.ts'

/** Every rule, by id. */
export const RULES: readonly Rule[] = [
  satisfyAnyVoids,
  skippedGuardOpens,
  unreadAccessFile,
  locationOverDirectory,
  aliasTwin,
  letterCase,
  loneNegative,
  everybodyBeside,
  replacedSection,
  ipv6Loopback,
  mixedDialects,
  usersFileServed,
  statusOpen,
  proxyTakenForClient,
  forwardedAddressBelieved,
  proxyNamedAsClient,
  limitLeavesMethods,
  allowWithoutDeny,
  idleNegation,
  symlinkTwin,
  rewriteBanAvoided,
  programSourceServed,
]
