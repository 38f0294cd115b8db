import type { SectionPart, TreeNode } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { Observation } from '../site/observation.ts'

/** A container with only negations: it never grants access. */
export const loneNegative: Rule = {
  id: 'GW007',
  about: 'a container with only negations, which grants nobody',
  severity: 'warning',
  isConfirmed: true,
  find: ({ observations }) => observations.flatMap(found),
}

function found(shownBy: Observation): Found[] {
  const { stage } = shownBy
  if (stage.access !== 'refused') return []
  return stage.sections.flatMap(({ require }: SectionPart) =>
    require?.inForce === true
      ? barren(require.tree).map(({ title, place }) => ({
          place,
          message: `${title} grants nobody: a negation denies or is neutral but never grants, and neutral counts as denied`,
          hint: 'add Require all granted to the negations, in a <RequireAll>',
          shownBy,
        }))
      : [],
  )
}

/** Roots, and the containers alone in them, that have only negations. */
function barren(node: TreeNode): TreeNode[] {
  if (node.line !== null || node.children.length === 0) return []
  if (node.children.every(({ negated, title }) => negated || title === '<RequireNone>')) return [node]
  return node.children.length === 1 ? barren(node.children[0]) : []
}
