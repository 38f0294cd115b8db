import { setImmediate as turn } from 'node:timers/promises'
import type { SharedRecord } from '@gatewright/api'
import { type RecordChange, SharedRecords } from '@gatewright/core'
import t from 'tap'
import { type RecordHolder, SharedRecordBoard } from '../src/supervisor/shared-record-board.ts'

/** Processes that share records by a board, without processes between them. */
class Processes {
  readonly #board = new SharedRecordBoard(null)
  readonly #holders: RecordHolder[] = []

  join(onText: (text: string) => void = () => {}): { readonly record: SharedRecord; leave(): void } {
    const records: SharedRecords = new SharedRecords((changes) => this.#board.changed(holder, changes, this.#holders))
    const holder: RecordHolder = { shareRecords: (changes: readonly RecordChange[]) => records.receive(changes) }
    this.#board.joined(holder)
    this.#holders.push(holder)
    const leave = (): void => {
      this.#holders.splice(this.#holders.indexOf(holder), 1)
      this.#board.left(holder, this.#holders)
    }
    return { record: records.open('x', { numbers: 3, ofProcess: [2], onText }), leave }
  }
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await turn()
}

t.test('what processes add at the same time is summed up, also for one that starts later', async (t) => {
  const processes = new Processes()
  const [one, other] = [processes.join(), processes.join()]
  one.record.add(0, 5)
  one.record.add(0, -2)
  other.record.add(0, 10)
  t.equal(one.record.numbers[0], 3, 'its own part at once')
  await turns()
  t.strictSame([one.record.numbers[0], other.record.numbers[0]], [13, 13])
  t.equal(processes.join().record.numbers[0], 13)
})

t.test('all processes end with the same one of two values and texts', async (t) => {
  const processes = new Processes()
  const heard: string[] = []
  const [one, other] = [processes.join((text) => heard.push(text)), processes.join()]
  one.record.set(1, 4)
  one.record.setText('a')
  await turns()
  other.record.set(1, 7)
  other.record.setText('b')
  await turns()
  t.strictSame([one.record.numbers[1], other.record.numbers[1]], [7, 7])
  t.strictSame([one.record.text, other.record.text, heard], ['b', 'b', ['b']])
  const late = processes.join()
  t.strictSame([late.record.numbers[1], late.record.text], [7, 'b'])
})

t.test('what a process was doing ends with it', async (t) => {
  const processes = new Processes()
  const [one, other] = [processes.join(), processes.join()]
  one.record.add(2, 3)
  one.record.add(0, 1)
  other.record.add(2, 1)
  await turns()
  t.equal(other.record.numbers[2], 4)
  one.leave()
  await turns()
  t.equal(other.record.numbers[2], 1)
  t.equal(other.record.numbers[0], 1, 'its other figures stay')
})

t.test('a value that returns late does not replace a newer one', async (t) => {
  const sent: (readonly RecordChange[])[] = []
  const records = new SharedRecords((changes) => sent.push(changes))
  const record = records.open('x', { numbers: 2 })
  const returned = (changes: readonly RecordChange[]): RecordChange[] => changes.map((change) => ({ ...change, isOwn: true }))
  record.set(0, 1)
  await turns()
  record.set(0, 2)
  await turns()
  records.receive(returned(sent[0] ?? []))
  t.equal(record.numbers[0], 2)
  records.receive([{ record: 'x', sets: { 0: 9 } }])
  t.equal(record.numbers[0], 2, 'that of another process came before')
  records.receive(returned(sent[1] ?? []))
  records.receive([{ record: 'x', sets: { 0: 9 } }])
  t.equal(record.numbers[0], 9)
})

t.test('only texts that outlast a reload reach the workers of the next generation', (t) => {
  const former = new SharedRecordBoard(null)
  const none: RecordHolder = { shareRecords: () => undefined }
  former.changed(none, [{ record: 'kept', text: 'a', outlasts: true, sets: { 0: 1 } }], [])
  former.changed(none, [{ record: 'forgotten', text: 'b' }], [])
  const received: unknown[] = []
  const next = new SharedRecordBoard(former)
  next.joined({ shareRecords: (changes) => void received.push(...changes) })
  t.strictSame(received, [{ record: 'kept', adds: {}, sets: {}, text: 'a' }])
  next.joined({ shareRecords: (changes) => void received.push(...changes) })
  t.equal(received.length, 2, 'workers that start later find it, too')
  t.end()
})
