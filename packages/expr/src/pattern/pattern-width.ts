import type { PatternNode } from './pattern-node.ts'

/** True if the node can match the empty string, or if this is unknown. */
export function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'sequence':
      return node.items.every(isNullable)
    case 'alternatives':
      return node.branches.some(isNullable)
    case 'capture':
    case 'atomic':
      return isNullable(node.body)
    case 'repeat':
      return node.min === 0 || isNullable(node.body)
    case 'look':
    case 'assertion':
    case 'backReference':
      return true
  }
}

/**
 * True if the node tries the empty match only after all alternatives have failed: true for `a*` and `a|b?`,
 * false for `a*?` and `|a`.
 */
export function prefersText(node: PatternNode): boolean {
  if (!isNullable(node)) return true
  switch (node.kind) {
    case 'sequence':
      return node.items.every(prefersText)
    case 'alternatives':
      return node.branches.every(
        (branch, index) => prefersText(branch) && (index === node.branches.length - 1 || !isNullable(branch)),
      )
    case 'capture':
    case 'atomic':
      return prefersText(node.body)
    case 'repeat':
      return node.max === 0 || (node.greed !== 'lazy' && prefersText(node.body))
    default:
      return true
  }
}

/** The fixed number of bytes that the node matches, or undefined if it varies. */
export function fixedWidth(node: PatternNode): number | undefined {
  switch (node.kind) {
    case 'set':
      return 1
    case 'look':
    case 'assertion':
      return 0
    case 'sequence': {
      let sum = 0
      for (const item of node.items) {
        const width = fixedWidth(item)
        if (width === undefined) return undefined
        sum += width
      }
      return sum
    }
    case 'alternatives': {
      const width = fixedWidth(node.branches[0])
      return node.branches.every((branch) => fixedWidth(branch) === width) ? width : undefined
    }
    case 'capture':
    case 'atomic':
      return fixedWidth(node.body)
    case 'repeat': {
      const width = fixedWidth(node.body)
      return node.min === node.max && width !== undefined ? node.min * width : undefined
    }
    case 'backReference':
      return undefined
  }
}
