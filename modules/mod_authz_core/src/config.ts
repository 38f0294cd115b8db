import type { SectionInfo } from '@gatewright/api'
import type { RequireTree } from '@gatewright/api/peers'
import { Group } from './decision/node.ts'

/** AuthMerging: how a section's Require directives combine with those of the preceding sections. */
export type Merging = 'off' | 'and' | 'or'

/** Configuration of one section, or of several merged ones. */
export interface AuthzConfig {
  /** The implicit `<RequireAny>` of the section, or the result of AuthMerging; null without Require. */
  root: Group | null
  /** The innermost container that is open while the section is read. */
  open: Group | null
  /**
   * How `root` combines with the trees of preceding sections. Does not affect sections that are merged over
   * it.
   */
  merging: Merging | undefined
  /** AuthzSendForbiddenOnFailure. */
  sendForbidden: boolean | undefined
  /** The section of the tree; of several merged ones, the last that has a Require. */
  section: SectionInfo
  /** The sections whose Require directives are in `root`, in the order of merging. */
  contributors: readonly SectionInfo[]
}

export function createAuthzConfig(section: SectionInfo): AuthzConfig {
  return { root: null, open: null, merging: undefined, sendForbidden: undefined, section, contributors: [section] }
}

/** The tree as other modules see it; null if there is none. */
export function requireTree({ root, section, contributors }: Readonly<AuthzConfig>): RequireTree | null {
  return root === null ? null : { section, hostOnly: root.hostOnly, root, sections: contributors }
}

/**
 * Merges a section over the result so far, or the merged sections of one walk over those of the preceding
 * walks. The tree is replaced unless AuthMerging specifies otherwise; `AuthMerging Off` without Require drops
 * it.
 */
export function mergeAuthzConfig(base: Readonly<AuthzConfig>, over: Readonly<AuthzConfig>): AuthzConfig {
  const merged = createAuthzConfig(over.root === null ? base.section : over.section)
  merged.sendForbidden = over.sendForbidden ?? base.sendForbidden
  merged.merging = over.merging
  if (over.root !== null) {
    const joins = base.root !== null && (over.merging === 'and' || over.merging === 'or')
    merged.root = joins ? joined(base.root, over.root, over.merging) : over.root
    merged.contributors = joins ? [...base.contributors, ...over.contributors] : over.contributors
  } else if (over.merging !== 'off') {
    merged.root = base.root
    merged.contributors = base.contributors
    if (over.merging === undefined && base.root !== null) merged.merging = base.merging
  }
  return merged
}

function joined(base: Group, over: Group, merging: 'and' | 'or'): Group {
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
