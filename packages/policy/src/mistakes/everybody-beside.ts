import type { Surprise, TreeNode } from '../explanation.ts'
import type { SurpriseContext } from './context.ts'
import { type Mistake, surprisingObservations } from './mistake.ts'

/** `Require all granted` next to other lines, any of which is sufficient. */
export const everybodyBeside: Mistake = {
  surprises,
  rule: {
    id: 'GW008',
    about: 'Require lines without effect, because of Require all granted in the same section',
    severity: 'error',
    isConfirmed: true,
    find: surprisingObservations(surprises, 'remove Require all granted, or enclose all lines in a <RequireAll>'),
  },
}

function surprises({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
  const tree = stage.answers.at(-1)?.tree ?? null
  if (tree === null || stage.access !== 'granted') return []
  return [...groups(tree)].flatMap((group) => {
    const everybody = group.children.find(
      ({ line, negated }) => !negated && line?.provider === 'all' && /^granted\s*$/i.test(line.argument),
    )
    if (everybody === undefined || group.children.length < 2 || !isAny(group)) return []
    return [
      {
        name: 'all granted beside others',
        text: `Require all granted makes the ${group.children.length - 1} other${group.children.length > 2 ? 's' : ''} in the same section ineffective: lines outside a container are alternatives, and one is sufficient.`,
        places: [everybody.place],
      },
    ]
  })
}

function* groups(node: TreeNode): Generator<TreeNode> {
  if (node.line !== null) return
  yield node
  for (const child of node.children) yield* groups(child)
}

function isAny({ title }: TreeNode): boolean {
  return title === '<RequireAny>'
}
