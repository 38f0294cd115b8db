import { joinedChildren } from './join.ts'
import type { DecisionNode, Group } from './node.ts'

/** A container that can only ever veto, which is a mistake: it never grants. */
export interface OnlyNegative {
  readonly onlyNegative: Group
}

/**
 * The tree as it is evaluated, made once at start (not for .htaccess files): a `<RequireNone>` in a `<RequireAll>` gives way to its
 * negated children (De Morgan), innermost first.
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
  // Before the first request, not with it.
  joinedChildren(tidy)
  return tidy
}
