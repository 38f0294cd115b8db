import type { PlacedConfig } from '@gatewright/api'
import type { RequireSection } from '@gatewright/api/peers'
import type { AuthzConfig } from './config.ts'
import type { Group } from './decision/node.ts'

/** The sections that contribute to Require trees or drop inherited ones, in file order. */
export function contributingSections(placed: readonly PlacedConfig<AuthzConfig>[]): RequireSection[] {
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
