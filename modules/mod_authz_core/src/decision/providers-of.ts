import type { DecisionNode, Group } from './node.ts'

/** What decides in a tree: the names of the providers of its Require lines, each once, with blanks between them. Made once for each tree. */
export function providersOf(root: Group): string {
  return (root.providers ??= [...new Set(namesIn(root))].sort().join(' '))
}

function namesIn(node: DecisionNode): readonly string[] {
  return node.kind === 'require' ? [node.line.provider] : node.children.flatMap(namesIn)
}
