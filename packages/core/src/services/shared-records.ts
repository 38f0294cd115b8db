import type { SharedRecord, SharedRecordShape } from '@gatewright/api'

/** What changed in a record, in the form of messages between processes. Numbers are named by their indices. */
export interface RecordChange {
  readonly record: string
  /** Amounts to add. */
  readonly adds?: Readonly<Record<number, number>>
  /** Those of `adds` that end with the process that sends them. */
  readonly ofProcess?: readonly number[]
  readonly sets?: Readonly<Record<number, number>>
  readonly text?: string
  /** True if the text is for the processes of later configurations, too. */
  readonly outlasts?: true
  /** True for the sums of everything before, for a process that starts. */
  readonly isSum?: true
  /** True for sets that return to the process that sent them: those of others came before. */
  readonly isOwn?: true
}

/** Stands for the text among the indices of numbers. */
const TEXT = -1

/** A busy process sends the changes of this time (ms) in one message. */
const PAUSE = 2
/** So many messages may follow each other at once; each time of a pause allows another one. */
const BURST = 1000

/** The records of a process, and their exchange with other processes. */
export class SharedRecords {
  readonly #send: (changes: readonly RecordChange[]) => void
  readonly #records = new Map<string, OpenRecord>()
  /** Changes of records that this process has not opened yet. */
  readonly #early = new Map<string, RecordChange[]>()
  readonly #changed = new Set<OpenRecord>()
  #allowed = BURST
  #countedAt = 0
  #isScheduled = false

  constructor(send: (changes: readonly RecordChange[]) => void) {
    this.#send = send
  }

  /** The record of a name; the shape of the first call counts. */
  open(name: string, shape: SharedRecordShape): SharedRecord {
    const known = this.#records.get(name)
    if (known !== undefined) return known
    const record = new OpenRecord(name, shape, (changed) => this.#schedule(changed))
    this.#records.set(name, record)
    for (const change of this.#early.get(name) ?? []) record.receive(change)
    this.#early.delete(name)
    return record
  }

  /** Takes the changes of other processes, and of this one where their order matters. */
  receive(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const record = this.#records.get(change.record)
      if (record !== undefined) record.receive(change)
      else this.#early.set(change.record, [...(this.#early.get(change.record) ?? []), change])
    }
  }

  #schedule(record: OpenRecord): void {
    this.#changed.add(record)
    if (this.#isScheduled) return
    this.#isScheduled = true
    const now = performance.now()
    this.#allowed = Math.min(BURST, this.#allowed + (now - this.#countedAt) / PAUSE)
    this.#countedAt = now
    if (this.#allowed < 1) setTimeout(() => this.flush(), PAUSE).unref()
    else setImmediate(() => this.flush())
  }

  /** Sends what has changed at once: what is sent to the other processes after this comes later. */
  flush(): void {
    this.#isScheduled = false
    if (this.#changed.size === 0) return
    this.#allowed--
    const changes: RecordChange[] = []
    for (const record of this.#changed) changes.push(record.take())
    this.#changed.clear()
    this.#send(changes)
  }
}

class OpenRecord implements SharedRecord {
  readonly numbers: Float64Array
  text = ''
  readonly #name: string
  readonly #shape: SharedRecordShape
  readonly #onChange: (record: OpenRecord) => void
  #adds: Record<number, number> = {}
  #sets: Record<number, number> = {}
  #newText: string | undefined = undefined
  /** How many values of each number, and of the text, have not returned yet. */
  readonly #underWay = new Map<number, number>()

  constructor(name: string, shape: SharedRecordShape, onChange: (record: OpenRecord) => void) {
    this.#name = name
    this.#shape = shape
    this.#onChange = onChange
    this.numbers = new Float64Array(shape.numbers)
  }

  add(index: number, amount: number): void {
    this.numbers[index] += amount
    this.#adds[index] = (this.#adds[index] ?? 0) + amount
    this.#onChange(this)
  }

  set(index: number, value: number): void {
    this.numbers[index] = value
    if (this.#sets[index] === undefined) this.#send(index)
    this.#sets[index] = value
    this.#onChange(this)
  }

  setText(text: string): void {
    this.text = text
    if (this.#newText === undefined) this.#send(TEXT)
    this.#newText = text
    this.#onChange(this)
  }

  #send(index: number): void {
    this.#underWay.set(index, (this.#underWay.get(index) ?? 0) + 1)
  }

  /** What this process has changed since the last call. */
  take(): RecordChange {
    const change: RecordChange = {
      record: this.#name,
      adds: this.#adds,
      sets: this.#sets,
      ...(this.#shape.ofProcess === undefined ? {} : { ofProcess: this.#shape.ofProcess }),
      ...(this.#newText === undefined ? {} : { text: this.#newText }),
      ...(this.#shape.outlastsReload === true ? { outlasts: true as const } : {}),
    }
    this.#adds = {}
    this.#sets = {}
    this.#newText = undefined
    return change
  }

  receive({ adds, sets, text, isOwn, isSum }: RecordChange): void {
    for (const [index, amount] of Object.entries(adds ?? {})) {
      this.numbers[Number(index)] += amount
      if (isSum !== true) this.#shape.onAdd?.(Number(index), amount)
    }
    for (const [index, value] of Object.entries(sets ?? {})) {
      if (isOwn === true) this.#settle(Number(index))
      // What this process has set since counts as the latest.
      else if (!this.#underWay.has(Number(index))) this.numbers[Number(index)] = value
    }
    if (text === undefined) return
    if (isOwn === true) return this.#settle(TEXT)
    if (this.#underWay.has(TEXT) || text === this.text) return
    this.text = text
    this.#shape.onText?.(text)
  }

  /** The others have received one of the values that were set. */
  #settle(index: number): void {
    const left = (this.#underWay.get(index) ?? 1) - 1
    if (left > 0) this.#underWay.set(index, left)
    else this.#underWay.delete(index)
  }
}
