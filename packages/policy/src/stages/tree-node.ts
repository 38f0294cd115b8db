import { type AuthzStatus, listedWords } from '@gatewright/api'
import type { RequireNode } from '@gatewright/api/tracing'
import { splitWords } from '@gatewright/config'
import type { NodeVerdict, Stage, TreeNode } from '../explanation.ts'
import type { NodeValues } from '../recorder.ts'

/** A Require tree with the results of its nodes. */
export function treeNode(node: RequireNode, values: NodeValues): TreeNode {
  const value = values.get(node)
  return {
    title: node.title.trimEnd(),
    negated: node.negated,
    line: node.kind === 'require' ? { provider: node.line.provider, argument: node.line.argument } : null,
    place: { file: node.place.file, line: node.place.line },
    verdict: value === undefined ? 'not asked' : nodeVerdict(value.status),
    otherMethods: value?.limited === true,
    children: node.kind === 'group' ? node.children.map((child) => treeNode(child, values)) : [],
  }
}

export function nodeVerdict(status: AuthzStatus): NodeVerdict {
  switch (status) {
    case 'denied-no-user':
      return 'needs a user'
    case 'general-error':
      return 'error'
    default:
      return status
  }
}

/** The lines of a tree, without its containers. */
export function requireLines(node: RequireNode): Extract<RequireNode, { kind: 'require' }>[] {
  return node.kind === 'require' ? [node] : node.children.flatMap(requireLines)
}

/** The words of a Require line as the provider reads them. */
export function argumentWords({ line }: TreeNode): string[] {
  return line === null ? [] : listedWords(line.argument, { words: splitWords })
}

/** The Require lines of a described tree, without its containers. */
export function leaves(node: TreeNode): TreeNode[] {
  return node.line === null ? node.children.flatMap(leaves) : [node]
}

/** The Require lines of all sections that apply, in force or not. */
export function linesOfSections(stages: readonly Stage[]): TreeNode[] {
  return stages.flatMap(({ sections }) => sections.flatMap(({ require }) => (require === null ? [] : leaves(require.tree))))
}
