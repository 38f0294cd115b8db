import type { Comparison } from './comparison.ts'
import type { Reading } from './reading.ts'
import { KINDS, type Kind, type Stream } from './stream.ts'

/** What came of the messages of many streams. */
export class Tally {
  streams: number
  messages: number
  bytes: number
  divergences: number
  readonly #written: Map<Kind, number>
  readonly #common: Map<Kind, number>
  readonly #leniencies: Map<string, number>
  readonly #refusals: Map<string, number>

  constructor() {
    this.streams = 0
    this.messages = 0
    this.bytes = 0
    this.divergences = 0
    this.#written = new Map()
    this.#common = new Map()
    this.#leniencies = new Map()
    this.#refusals = new Map()
  }

  add(stream: Stream, ours: Reading, theirs: Reading, { common, divergence, leniency }: Comparison): void {
    this.streams++
    this.messages += stream.messages.length
    this.bytes += stream.text.length
    if (divergence !== null) this.divergences++
    for (const { kind } of stream.messages) count(this.#written, kind)
    for (let i = 0; i < common; i++) {
      const start = i === 0 ? 0 : ours.messages[i - 1].end
      count(this.#common, kindAt(stream, start))
    }
    if (leniency !== null) count(this.#leniencies, leniency.name)
    else if (ours.fault !== '' && theirs.messages.length > common) count(this.#refusals, ours.fault)
  }

  /** Messages that both took. */
  get common(): number {
    return sum(this.#common)
  }

  lines(): string[] {
    return [
      ...KINDS.map((kind) => share(kind, this.#common.get(kind) ?? 0, this.#written.get(kind) ?? 0)),
      share('all', this.common, this.messages),
      ...byCount('taken by us alone, as httpd does', this.#leniencies),
      ...byCount('taken by Node alone: our answer', this.#refusals),
    ]
  }
}

/** Text from an offset on counts as the message that was written there, wherever the parsers find its end. */
function kindAt({ messages }: Stream, offset: number): Kind {
  return messages.findLast(({ start }) => start <= offset)?.kind ?? 'mutated'
}

function share(name: string, common: number, written: number): string {
  const percent = written === 0 ? 0 : (100 * common) / written
  return `${name.padEnd(8)} ${String(written).padStart(9)} messages, ${String(common).padStart(9)} taken by both (${percent.toFixed(1)} %)`
}

function byCount(title: string, counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.length === 0 ? [] : [`${title}:`, ...sorted.map(([name, times]) => `  ${String(times).padStart(8)} ${name}`)]
}

function sum(counts: ReadonlyMap<Kind, number>): number {
  let total = 0
  for (const value of counts.values()) total += value
  return total
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
