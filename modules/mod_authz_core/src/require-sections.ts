import { type OptionalFunction, optionalFunction, type PlacedConfig, type SectionInfo } from '@gatewright/api'
import type { AuthzConfig, Merging } from './authz-config.ts'
import type { Group } from './decision/node.ts'

/** What mod_access_compat is told of a section of the server's files when it looks for rules that the two modules disagree about. */
export interface RequireSection {
  readonly section: SectionInfo
  readonly merging: Merging | undefined
  /** False for a section that only says `AuthMerging Off`. */
  readonly requires: boolean
  readonly hostOnly: boolean
  /** True when the section's directives let everybody in. */
  readonly grantsAll: boolean
}

/** Offered to mod_access_compat, from checkConfig on: the sections that say something about the Require tree, in file order. */
export const requireSections: OptionalFunction<() => readonly RequireSection[]> = optionalFunction('authz_core:require_sections')

export function requireSectionsOf(placed: readonly PlacedConfig<AuthzConfig>[]): RequireSection[] {
  return placed
    .filter(({ config }) => config.root !== null || config.merging === 'off')
    .map(({ config, section }) => ({
      section,
      merging: config.merging,
      requires: config.root !== null,
      hostOnly: config.root?.hostOnly ?? true,
      grantsAll: config.root !== null && grantsAll(config.root),
    }))
}

function grantsAll(root: Group): boolean {
  return root.children.some(
    (child) =>
      child.kind === 'require' &&
      !child.negated &&
      child.methods.isAll &&
      child.line.provider === 'all' &&
      child.line.argument.toLowerCase() === 'granted',
  )
}
