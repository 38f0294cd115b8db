import type { MergeStep, RequireTree } from '@gatewright/api'
import { Group } from './decision/node.ts'

/** AuthMerging: how a section's Require directives join those of its predecessor. */
export type Merging = 'off' | 'and' | 'or'

/** What one section says, or several merged ones. */
export interface AuthzConfig {
  /** The implicit `<RequireAny>` of the section, or what AuthMerging made; null without Require. */
  root: Group | null
  /** The innermost container that is open while the section is read. */
  open: Group | null
  /** How `root` joins what it is merged over; it does not concern sections that are merged over it. */
  merging: Merging | undefined
  /** AuthzSendForbiddenOnFailure. */
  sendForbidden: boolean | undefined
  /** What other modules are told of `root`; made when sections are merged. */
  tree: RequireTree | null
}

export function createAuthzConfig(): AuthzConfig {
  return { root: null, open: null, merging: undefined, sendForbidden: undefined, tree: null }
}

/**
 * A section over what was merged so far, or the merged sections of one walk over those of the walks before. The tree is replaced unless
 * AuthMerging says otherwise; `AuthMerging Off` alone drops it.
 */
export function mergeAuthzConfig(base: Readonly<AuthzConfig>, over: Readonly<AuthzConfig>, step: MergeStep): AuthzConfig {
  const merged = createAuthzConfig()
  merged.sendForbidden = over.sendForbidden ?? base.sendForbidden
  merged.merging = over.merging
  if (over.root !== null) {
    merged.root = base.root === null ? over.root : joined(base.root, over.root, over.merging)
    merged.tree = { position: over.tree?.position ?? step.position, hostOnly: merged.root.hostOnly }
  } else if (over.merging !== 'off') {
    merged.root = base.root
    merged.tree = base.tree
    if (over.merging === undefined && base.root !== null) merged.merging = base.merging
  }
  return merged
}

function joined(base: Group, over: Group, merging: Merging | undefined): Group {
  if (merging === undefined || merging === 'off') return over
  const rule = merging === 'and' ? 'all' : 'any'
  const group = new Group({
    rule,
    negated: false,
    place: over.place,
    title: rule === 'all' ? 'AuthMerging All' : 'AuthMerging Any',
  })
  group.add(base)
  group.add(over)
  return group
}
