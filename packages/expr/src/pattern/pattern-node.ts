import type { ByteSet } from './byte-set.ts'

/** A parsed PCRE pattern. Options (`(?i)` and so on) have already been applied to its nodes. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'capture'; readonly number: number; readonly body: PatternNode }
  | { readonly kind: 'atomic'; readonly body: PatternNode }
  | LookNode
  | { readonly kind: 'assertion'; readonly source: string }
  | BackReferenceNode
  | RepeatNode

export interface LookNode {
  readonly kind: 'look'
  readonly direction: 'ahead' | 'behind'
  readonly sense: 'positive' | 'negative'
  readonly body: PatternNode
  readonly offset: number
}

export interface BackReferenceNode {
  readonly kind: 'backReference'
  /** Group number, or the name of a group that may be defined later in the pattern. */
  readonly to: number | string
  readonly cases: 'exact' | 'either'
  readonly offset: number
}

export interface RepeatNode {
  readonly kind: 'repeat'
  readonly body: PatternNode
  readonly min: number
  readonly max: number
  readonly greed: 'greedy' | 'lazy' | 'possessive'
  readonly offset: number
}

/** Calls `visit` for the node and everything below it. */
export function walkPattern(node: PatternNode, visit: (node: PatternNode) => void): void {
  visit(node)
  switch (node.kind) {
    case 'sequence':
      for (const item of node.items) walkPattern(item, visit)
      break
    case 'alternatives':
      for (const branch of node.branches) walkPattern(branch, visit)
      break
    case 'capture':
    case 'atomic':
    case 'look':
    case 'repeat':
      walkPattern(node.body, visit)
  }
}
