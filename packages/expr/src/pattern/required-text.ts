import { type ByteSet, printSet } from './byte-set.ts'
import type { PatternNode } from './pattern-node.ts'

/** Longer runs are hardly more selective and take longer to search for. */
const LONGEST_RUN = 16
/** Nearly every text contains a byte of a larger set. */
const LARGEST_SET = 64

/**
 * A RegExp that matches somewhere in every text that the pattern matches and that needs a single pass over
 * the text; null if there is none.
 */
export function requiredText(root: PatternNode): RegExp | null {
  const runs = new Runs()
  runs.add(root)
  const best = runs.best()
  return best.length === 0 ? null : new RegExp(best.map(printSet).join(''))
}

/** Collects the bytes that are adjacent in every match. */
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
        // These match no bytes: the text on their left and right is adjacent.
        break
      case 'alternatives':
      case 'backReference':
        this.#interrupt()
    }
  }

  /**
   * The most selective run; the last one if several are equal, because backtracking reaches as far as the
   * text before it. Empty if there is none.
   */
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
