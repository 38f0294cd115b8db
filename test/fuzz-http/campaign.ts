import { type Comparison, compare, type Divergence } from './comparison.ts'
import { type EngineModule, EngineReader } from './engine-reader.ts'
import { NodeReader } from './node-reader.ts'
import { plainly } from './plainly.ts'
import type { Reading } from './reading.ts'
import type { Stream } from './stream.ts'
import { streamOf } from './stream-generator.ts'
import type { Strictness } from './strictness.ts'
import { Tally } from './tally.ts'

/** Number of streams that are read in one turn of the loop. */
const BATCH = 64

export interface Finding {
  readonly index: number
  readonly stream: Stream
  readonly divergence: Divergence
}

export interface CampaignOptions {
  readonly seed: number
  /** Number of the first stream. */
  readonly first: number
  /** Ends with the stream that completes so many messages, ... */
  readonly messages: number
  /** ... or with so many divergences. */
  readonly findings: number
  readonly onFinding?: (finding: Finding) => Promise<void>
  readonly onBatch?: (tally: Tally) => void
}

interface Read {
  readonly ours: Reading
  readonly theirs: Reading
  readonly comparison: Comparison
}

/** Both parsers. */
export class Contest {
  readonly #ours: EngineReader
  readonly #theirs: NodeReader
  readonly #strictness: Strictness

  constructor(engine: EngineModule, strictness: Strictness = 'Strict') {
    this.#ours = new EngineReader(engine, { strict: strictness === 'Strict' })
    this.#theirs = new NodeReader(strictness)
    this.#strictness = strictness
  }

  async run({
    seed,
    first,
    messages,
    findings,
    onFinding,
    onBatch,
  }: CampaignOptions): Promise<{ tally: Tally; found: Finding[] }> {
    const tally = new Tally()
    const found: Finding[] = []
    for (let index = first; tally.messages < messages && found.length < findings; ) {
      await this.#theirs.prepare(2 * BATCH)
      for (const end = index + BATCH; index < end && tally.messages < messages && found.length < findings; index++) {
        const stream = streamOf(seed, index)
        const { ours, theirs, comparison } = this.#read(stream)
        tally.add(stream, ours, theirs, comparison)
        if (comparison.divergence === null) continue
        const finding = { index, stream, divergence: comparison.divergence }
        found.push(finding)
        await onFinding?.(finding)
        await this.#theirs.prepare(2 * BATCH)
      }
      onBatch?.(tally)
    }
    return { tally, found }
  }

  async compare(stream: Stream): Promise<Comparison> {
    await this.#theirs.prepare(2)
    return this.#read(stream).comparison
  }

  #read({ text, cuts }: Stream): Read {
    const bytes = Buffer.from(text, 'latin1')
    const ours = this.#ours.read(bytes, cuts)
    const theirs = this.#readTheirs(bytes, cuts, ours)
    const strictness = this.#strictness
    const comparison = compare(ours, theirs, { text, strictness })
    if (comparison.divergence === null || (theirs.fault === '' && !isFolded(text, strictness)))
      return { ours, theirs, comparison }
    const plain = plainly(text, ours)
    const again = this.#readTheirs(Buffer.from(plain.text, 'latin1'), [], plain.ours)
    return { ours, theirs: again, comparison: compare(plain.ours, again, { text: plain.text, strictness }) }
  }

  /** With cuts around the ends that we found, the reading shows whether Node finds them at the same byte. */
  #readTheirs(bytes: Buffer, cuts: readonly number[], ours: Reading): Reading {
    const ends = ours.messages.flatMap(({ end }) => (end < 0 ? [] : [end - 1, end]))
    return this.#theirs.read(
      bytes,
      [...cuts, ...ends].sort((a, b) => a - b),
    )
  }
}

/**
 * With all leniencies llhttp accepts folded fields, but joins their lines differently from RFC 9112 section
 * 5.2.
 */
function isFolded(text: string, strictness: Strictness): boolean {
  return strictness === 'Unsafe' && /\n[ \t]/.test(text)
}
