import { printSet } from './byte-set.ts'
import type { PatternNode, RepeatNode } from './pattern-node.ts'

export interface PrintedPattern {
  readonly source: string
  /** JavaScript's number for every group of the pattern; the numbers differ after an atomic group. */
  readonly positions: readonly number[]
  /** Number of groups that `source` has in addition to the pattern's own. */
  readonly helpers: number
}

/**
 * Prints a checked pattern as the source of a JavaScript RegExp without flags. `names` are the group names by
 * number; a name shared by several groups is omitted because JavaScript rejects it.
 */
export function printPattern(root: PatternNode, names: readonly (string | undefined)[]): PrintedPattern {
  const printer = new Printer(names)
  const source = printer.print(root)
  return {
    source: source === '' ? '(?:)' : source,
    positions: printer.positions,
    helpers: printer.opened - printer.positions.length + 1,
  }
}

class Printer {
  readonly positions: number[] = [0]
  opened = 0
  readonly #names: readonly (string | undefined)[]

  constructor(names: readonly (string | undefined)[]) {
    this.#names = names
  }

  print(node: PatternNode): string {
    switch (node.kind) {
      case 'set':
        return printSet(node.set)
      case 'assertion':
        return node.source
      case 'sequence':
        return node.items.map((item) => (item.kind === 'alternatives' ? this.#group(item) : this.print(item))).join('')
      case 'alternatives':
        return node.branches
          .map((branch) => (branch.kind === 'alternatives' ? this.#group(branch) : this.print(branch)))
          .join('|')
      case 'capture': {
        this.positions[node.number] = ++this.opened
        return `(${this.#label(node.number)}${this.print(node.body)})`
      }
      case 'atomic':
        return this.#atomic(() => this.print(node.body))
      case 'look': {
        const sign = (node.direction === 'behind' ? '<' : '') + (node.sense === 'positive' ? '=' : '!')
        return `(?${sign}${this.print(node.body)})`
      }
      case 'backReference': {
        const number = typeof node.to === 'number' ? node.to : this.#names.indexOf(node.to)
        // In a separate group, so that a following digit cannot extend the number.
        return `(?${node.cases === 'either' ? 'i' : ''}:\\${this.positions[number]})`
      }
      case 'repeat':
        return this.#repeat(node)
    }
  }

  #repeat(node: RepeatNode): string {
    if (node.greed !== 'possessive') return this.#operand(node.body) + counts(node) + (node.greed === 'lazy' ? '?' : '')
    if (node.body.kind === 'set' && node.max === Number.POSITIVE_INFINITY) {
      // One byte at a time: the following text can prevent backtracking, without a group.
      const set = printSet(node.body.set)
      return `(?:${set}${counts(node)}(?!${set}))`
    }
    return this.#atomic(() => this.#operand(node.body) + counts(node))
  }

  /** A look-ahead never backtracks: capture in it, then match the captured text. */
  #atomic(print: () => string): string {
    const number = ++this.opened
    return `(?:(?=(${print()}))\\${number})`
  }

  #operand(node: PatternNode): string {
    return node.kind === 'set' || node.kind === 'capture' || node.kind === 'atomic' ? this.print(node) : this.#group(node)
  }

  #group(node: PatternNode): string {
    return `(?:${this.print(node)})`
  }

  #label(number: number): string {
    const name = this.#names[number]
    if (name === undefined || this.#names.indexOf(name) !== this.#names.lastIndexOf(name)) return ''
    return `?<${name}>`
  }
}

function counts(node: RepeatNode): string {
  const { min, max } = node
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
