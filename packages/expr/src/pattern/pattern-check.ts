import type { BackReferenceNode, LookNode, PatternNode, RepeatNode } from './pattern-node.ts'
import { walkPattern } from './pattern-node.ts'
import type { PatternReader } from './pattern-reader.ts'
import { fixedWidth, isNullable, prefersText } from './pattern-width.ts'

/**
 * Finds the places where JavaScript would match differently from PCRE and rejects the pattern there. If only
 * the text of a group can differ, returns the numbers of these groups (0 = the whole match):
 *
 * - an unset group makes a back reference fail in PCRE; in JavaScript it matches the empty string;
 * - JavaScript clears the groups of a repetition at the start of each iteration; PCRE keeps them;
 * - PCRE ends a repetition after an empty iteration; JavaScript undoes that iteration.
 */
export function checkPattern(root: PatternNode, reader: PatternReader): ReadonlySet<number> {
  const unsteady = new Set<number>()
  const check = new Checker(reader, unsteady)
  walkPattern(root, (node) => {
    if (node.kind === 'repeat') check.repeat(node)
    if (node.kind === 'look' && node.direction === 'behind') check.lookBehind(node)
    if (node.kind === 'atomic' || (node.kind === 'repeat' && node.greed === 'possessive')) check.committed(node)
  })
  check.references(root)
  return unsteady
}

class Checker {
  readonly #reader: PatternReader
  readonly #unsteady: Set<number>

  constructor(reader: PatternReader, unsteady: Set<number>) {
    this.#reader = reader
    this.#unsteady = unsteady
  }

  repeat(node: RepeatNode): void {
    if (node.max === node.min && node.max <= 1) return
    const inside = groupsIn(node.body)
    if (node.max > 1) {
      const set = new Set<number>()
      this.#addSet(node.body, set, 'ignore')
      for (const group of inside) if (!set.has(group)) this.#unsteady.add(group)
    }
    if (node.max === node.min || !isNullable(node.body)) return
    for (const group of inside) this.#unsteady.add(group)
    if (node.greed !== 'lazy' && !prefersText(node.body)) {
      for (let group = 0; group <= this.#reader.lastGroup; group++) this.#unsteady.add(group)
    }
  }

  /** The first match is final here, so a different first choice gives a different result. */
  committed(node: PatternNode): void {
    walkPattern(node, (inner) => {
      if (inner.kind !== 'repeat' || inner.greed === 'lazy' || inner.max === inner.min) return
      if (isNullable(inner.body) && !prefersText(inner.body)) {
        this.#reader.unsupported(
          'an atomic group or possessive quantifier around a repetition that prefers to match nothing',
          inner.offset,
        )
      }
    })
  }

  /** PCRE requires a fixed length for each branch; JavaScript would read a reference inside backwards. */
  lookBehind(node: LookNode): void {
    const branches = node.body.kind === 'alternatives' ? node.body.branches : [node.body]
    walkPattern(node.body, (inner) => {
      if (inner.kind === 'backReference') this.#reader.unsupported('a back reference in a look-behind', inner.offset)
    })
    for (const branch of branches) {
      if (fixedWidth(branch) === undefined) this.#reader.fail('look-behind is not of fixed length', node.offset)
    }
  }

  /** Rejects every back reference to a group that may not have matched before. */
  references(root: PatternNode): void {
    this.#addSet(root, new Set(), 'check')
  }

  #refuseUnset(reference: BackReferenceNode, set: ReadonlySet<number>): void {
    const numbers = this.#numbersOf(reference)
    if (numbers.length === 0) this.#reader.fail('reference to a group that does not exist', reference.offset)
    if (numbers.length > 1) this.#reader.unsupported('a back reference to a name that several groups have', reference.offset)
    if (!set.has(numbers[0])) this.#reader.unsupported('a back reference to a group that may be unset', reference.offset)
    if (this.#unsteady.has(numbers[0])) {
      this.#reader.unsupported('a back reference to a group that may keep the text of an earlier round', reference.offset)
    }
  }

  #numbersOf(reference: BackReferenceNode): number[] {
    const { groups, lastGroup } = this.#reader
    if (typeof reference.to === 'number') return reference.to >= 1 && reference.to <= lastGroup ? [reference.to] : []
    return groups.flatMap((name, number) => (name === reference.to ? [number] : []))
  }

  /** Adds the groups that are always set after the node has matched to `set`, the groups set before it. */
  #addSet(node: PatternNode, set: Set<number>, references: 'check' | 'ignore'): void {
    switch (node.kind) {
      case 'set':
      case 'assertion':
        return
      case 'backReference':
        if (references === 'check') this.#refuseUnset(node, set)
        return
      case 'sequence':
        for (const item of node.items) this.#addSet(item, set, references)
        return
      case 'alternatives': {
        const results = node.branches.map((branch) => {
          const after = new Set(set)
          this.#addSet(branch, after, references)
          return after
        })
        for (const group of results[0]) if (results.every((after) => after.has(group))) set.add(group)
        return
      }
      case 'capture':
        this.#addSet(node.body, set, references)
        set.add(node.number)
        return
      case 'atomic':
        this.#addSet(node.body, set, references)
        return
      case 'look':
        this.#addSet(node.body, node.sense === 'positive' ? set : new Set(set), references)
        return
      case 'repeat':
        this.#addSet(node.body, node.min > 0 ? set : new Set(set), references)
    }
  }
}

function groupsIn(node: PatternNode): number[] {
  const numbers: number[] = []
  walkPattern(node, (inner) => {
    if (inner.kind === 'capture') numbers.push(inner.number)
  })
  return numbers
}
