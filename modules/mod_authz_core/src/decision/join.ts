import type { AuthzProvider } from '@gatewright/api'
import { type DecisionNode, type Group, RequireTerm, type Rule } from './node.ts'

/**
 * The children as they are evaluated without a tracer: neighbours are joined if that saves work. Computed
 * once.
 */
export function joinedChildren(group: Group): readonly DecisionNode[] {
  return (group.joined ??= joinNeighbours(group.children, group.rule))
}

/**
 * Joins neighbours that a single check can evaluate, so that a hundred lines of addresses cost as much as
 * one. Lines that grant are joined in an `any`, negated lines in an `all`: there the first line that matches
 * decides. The value of the container does not change.
 */
function joinNeighbours(children: readonly DecisionNode[], rule: Rule): readonly DecisionNode[] {
  const joined: DecisionNode[] = []
  let run: RequireTerm[] = []
  const endRun = (): void => {
    if (run.length > 0) joined.push(joinRun(run))
    run = []
  }
  for (const child of children) {
    if (child.kind === 'group' || child.negated !== (rule === 'all') || child.line.source?.anyOf === undefined) {
      endRun()
      joined.push(child)
      continue
    }
    if (run.length > 0 && !areAlike(run[0], child)) endRun()
    run.push(child)
  }
  endRun()
  return joined.length === children.length ? children : joined
}

function areAlike(a: RequireTerm, b: RequireTerm): boolean {
  return a.line.source === b.line.source && a.methods.equals(b.methods)
}

function joinRun(run: readonly RequireTerm[]): RequireTerm {
  const [first] = run
  const source: AuthzProvider | null = first.line.source
  if (run.length === 1 || source?.anyOf === undefined) return first
  return new RequireTerm({ ...first.line, check: source.anyOf(run.map(({ check }) => check)) })
}
