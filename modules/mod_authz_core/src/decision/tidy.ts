import { joinedChildren } from './join.ts'
import type { DecisionNode, Group } from './node.ts'

/** A container that can only veto. This is a mistake, because it never grants. */
export interface OnlyNegative {
  readonly onlyNegative: Group
}

/**
 * Simplifies a tree, once at start (not for .htaccess files): the negated children of a `<RequireNone>` in a
 * `<RequireAll>` replace it (De Morgan), innermost first.
 */
export function tidied(group: Group): Group | OnlyNegative {
  const children: DecisionNode[] = []
  for (const child of group.children) {
    if (child.kind === 'require') {
      children.push(child)
      continue
    }
    const tidy = tidied(child)
    if ('onlyNegative' in tidy) return tidy
    if (tidy.negated && tidy.rule !== group.rule) children.push(...tidy.children.map((grandchild) => grandchild.negation()))
    else children.push(tidy)
  }
  if (children.every(({ negated }) => negated)) return { onlyNegative: group }
  const tidy = group.with(children)
  // Computed before the first request needs it.
  joinedChildren(tidy)
  return tidy
}
