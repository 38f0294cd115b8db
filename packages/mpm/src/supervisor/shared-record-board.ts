import type { RecordChange } from '@gatewright/core'

/** A worker, as far as it takes part. */
export interface RecordHolder {
  shareRecords(changes: readonly RecordChange[]): void
}

interface KeptRecord {
  readonly adds: Map<number, number>
  readonly sets: Map<number, number>
  text: string | undefined
  outlasts: boolean
}

/**
 * The records that the workers of one generation share: passes on what one changes, and keeps the sums for workers that
 * start later.
 */
export class SharedRecordBoard {
  readonly #records = new Map<string, KeptRecord>()
  /** What each worker has added to numbers that end with it. */
  readonly #ofProcess = new Map<RecordHolder, Map<string, Map<number, number>>>()

  /** @param former that of the generation before: texts that outlast a reload are taken from it */
  constructor(former: SharedRecordBoard | null) {
    if (former === null) return
    for (const [record, { text, outlasts }] of former.#records) {
      if (outlasts) this.#records.set(record, { adds: new Map(), sets: new Map(), text, outlasts })
    }
  }

  /** Brings a worker that starts up to date. */
  joined(worker: RecordHolder): void {
    const all: RecordChange[] = []
    for (const [record, { adds, sets, text }] of this.#records) {
      all.push({
        record,
        adds: Object.fromEntries(adds),
        sets: Object.fromEntries(sets),
        ...(adds.size > 0 && { isSum: true as const }),
        ...(text === undefined ? {} : { text }),
      })
    }
    if (all.length > 0) worker.shareRecords(all)
  }

  /** @param workers those of the generation */
  changed(from: RecordHolder, changes: readonly RecordChange[], workers: Iterable<RecordHolder>): void {
    for (const change of changes) {
      this.#keep(change)
      this.#note(from, change)
    }
    const ordered = changes.flatMap(({ record, sets, text }) => {
      const hasSets = sets !== undefined && Object.keys(sets).length > 0
      return hasSets || text !== undefined
        ? [{ record, ...(hasSets ? { sets } : {}), ...(text === undefined ? {} : { text }), isOwn: true as const }]
        : []
    })
    for (const worker of workers) {
      if (worker !== from) worker.shareRecords(changes)
      // The sender learns that those of others come after its own from now on.
      else if (ordered.length > 0) worker.shareRecords(ordered)
    }
  }

  /** Takes back what a worker that has ended was doing. */
  left(worker: RecordHolder, others: Iterable<RecordHolder>): void {
    const changes: RecordChange[] = []
    for (const [record, sums] of this.#ofProcess.get(worker) ?? []) {
      const adds: Record<number, number> = {}
      for (const [index, sum] of sums) if (sum !== 0) adds[index] = -sum
      if (Object.keys(adds).length > 0) changes.push({ record, adds })
    }
    this.#ofProcess.delete(worker)
    if (changes.length === 0) return
    for (const change of changes) this.#keep(change)
    for (const other of others) if (other !== worker) other.shareRecords(changes)
  }

  #keep({ record, adds, sets, text, outlasts }: RecordChange): void {
    let kept = this.#records.get(record)
    if (kept === undefined) {
      kept = { adds: new Map(), sets: new Map(), text: undefined, outlasts: false }
      this.#records.set(record, kept)
    }
    for (const [index, amount] of numbersIn(adds)) kept.adds.set(index, (kept.adds.get(index) ?? 0) + amount)
    for (const [index, value] of numbersIn(sets)) kept.sets.set(index, value)
    if (text !== undefined) kept.text = text
    if (outlasts === true) kept.outlasts = true
  }

  #note(from: RecordHolder, { record, adds, ofProcess }: RecordChange): void {
    for (const index of ofProcess ?? []) {
      const amount = adds?.[index]
      if (amount === undefined) continue
      const own = this.#ofProcess.get(from) ?? new Map<string, Map<number, number>>()
      this.#ofProcess.set(from, own)
      const sums = own.get(record) ?? new Map<number, number>()
      own.set(record, sums)
      sums.set(index, (sums.get(index) ?? 0) + amount)
    }
  }
}

function numbersIn(values: Readonly<Record<number, number>> | undefined): [index: number, value: number][] {
  return Object.entries(values ?? {}).map(([index, value]) => [Number(index), value])
}
