import { type ByteSet, printSet } from './byte-set.ts'
import type { PatternNode } from './pattern-node.ts'

/** Longer runs find hardly more, and take longer to look for. */
const LONGEST_RUN = 16
/** A set of more bytes is in nearly every text. */
const LARGEST_SET = 64

/** A RegExp that fits somewhere in every text that the pattern matches, and that is found in a single pass over the text; null when there is none. */
export function requiredText(root: PatternNode): RegExp | null {
  const runs = new Runs()
  runs.add(root)
  const best = runs.best()
  return best.length === 0 ? null : new RegExp(best.map(printSet).join(''))
}

/** Collects the bytes that stand side by side in every match. */
class Runs {
  readonly #runs: ByteSet[][] = [[]]

  add(node: PatternNode): void {
    switch (node.kind) {
      case 'set':
        this.#addSet(node.set)
        break
      case 'sequence':
        for (const item of node.items) this.add(item)
        break
      case 'capture':
      case 'atomic':
        this.add(node.body)
        break
      case 'repeat':
        this.#interrupt()
        if (node.min > 0) this.add(node.body)
        this.#interrupt()
        break
      case 'assertion':
      case 'look':
        // They take no bytes: what stands on their left and right stands side by side.
        break
      case 'alternatives':
      case 'backReference':
        this.#interrupt()
    }
  }

  /** The run that fits the smallest part of random texts, of equal ones the last: backtracking gets as far as what stands before it. Empty when there is none. */
  best(): readonly ByteSet[] {
    let best: readonly ByteSet[] = []
    for (const run of this.#runs) if (rarity(run) >= rarity(best)) best = run
    return best
  }

  #addSet(set: ByteSet): void {
    if (sizeOf(set) > LARGEST_SET) {
      this.#interrupt()
      return
    }
    const last = this.#runs.at(-1)
    if (last !== undefined && last.length < LONGEST_RUN) last.push(set)
    else this.#runs.push([set])
  }

  #interrupt(): void {
    if (this.#runs.at(-1)?.length !== 0) this.#runs.push([])
  }
}

function rarity(run: readonly ByteSet[]): number {
  return run.reduce((sum, set) => sum + Math.log2(256 / Math.max(sizeOf(set), 1)), 0)
}

function sizeOf(set: ByteSet): number {
  return set.reduce((sum, member) => sum + member, 0)
}
