import type { DecisionNode, Group } from './node.ts'

/**
 * The names of the providers of a tree's Require lines, each once, separated by blanks. Computed once per
 * tree.
 */
export function providersOf(root: Group): string {
  return (root.providers ??= [...new Set(namesIn(root))].sort().join(' '))
}

function namesIn(node: DecisionNode): readonly string[] {
  return node.kind === 'require' ? [node.line.provider] : node.children.flatMap(namesIn)
}
