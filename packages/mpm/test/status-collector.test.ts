import { NO_COUNTERS, type WorkerStatus } from '@gatewright/api/status'
import t from 'tap'
import type { Statuses } from '../src/roles/messages.ts'
import { StatusCollector, type StatusSource } from '../src/supervisor/status-collector.ts'

/** A worker that has served this number of requests, and reports it on request. */
class Teller implements StatusSource {
  readonly slot: number
  readonly generation: number
  state: StatusSource['state'] = 'serving'
  status: WorkerStatus | null = null
  readonly answers: Statuses[] = []
  readonly asked: number[] = []
  readonly #accesses: number

  constructor(slot: number, generation: number, accesses: number) {
    this.slot = slot
    this.generation = generation
    this.#accesses = accesses
  }

  ask(id: number): void {
    this.asked.push(id)
  }

  answer(message: { readonly type: string; readonly statuses?: Statuses }): void {
    if (message.statuses !== undefined) this.answers.push(message.statuses)
  }

  tell(collector: StatusCollector): void {
    this.status = this.#numbers()
    collector.reported(this, this.asked.at(-1) ?? 0)
  }

  end(collector: StatusCollector): void {
    this.status = this.#numbers()
    this.state = 'gone'
    collector.ended(this)
  }

  #numbers(): WorkerStatus {
    const counters = { ...NO_COUNTERS, granted: this.#accesses }
    const sums = { accesses: this.#accesses, bytes: 0, duration: 0, cpuUser: 0, cpuSystem: 0, counters }
    const gauges = {
      startedAt: 0,
      residentMemory: 0,
      heapUsed: 0,
      loopDelay: { mean: 0, p99: 0, max: 0 },
      passwordsWaiting: 0,
      passwordsComputing: 0,
    }
    const connections = { connections: 0, busy: 0, keepAlive: 0, writing: 0, closing: 0, reading: 0 }
    const { slot, generation } = this
    return { slot, generation, pid: 1, stopping: false, ...sums, ...connections, process: gauges, requests: [] }
  }
}

function total({ workers, former }: Statuses): number {
  return workers.reduce((sum, { accesses }) => sum + accesses, former.accesses)
}

t.test('a request is answered when all workers have reported their figures', async (t) => {
  const collector = new StatusCollector()
  const [one, other] = [new Teller(0, 0, 5), new Teller(1, 0, 7)]
  collector.collect(one, 1, 0, [one, other])
  one.tell(collector)
  t.equal(one.answers.length, 0)
  other.tell(collector)
  t.equal(total(one.answers[0]), 12)
})

t.test('a worker of the next generation that still loads is not waited for', async (t) => {
  const collector = new StatusCollector()
  const [serving, loading] = [new Teller(0, 0, 5), new Teller(0, 1, 0)]
  loading.state = 'loading'
  collector.collect(serving, 1, 0, [serving, loading])
  serving.tell(collector)
  t.equal(total(serving.answers[0]), 5)
  t.strictSame(loading.asked, [])
})

t.test('the sums of an ended worker stay with its slot, which may not have a worker yet', async (t) => {
  const collector = new StatusCollector()
  const [first, other] = [new Teller(0, 0, 5), new Teller(1, 0, 7)]
  first.end(collector)
  collector.collect(other, 1, 0, [other])
  other.tell(collector)
  t.equal(other.answers[0].former.accesses, 5)
  t.equal(total(other.answers[0]), 12)

  const successor = new Teller(0, 1, 1)
  collector.collect(other, 2, 1, [other, successor])
  successor.tell(collector)
  other.tell(collector)
  t.equal(other.answers[1].former.accesses, 0)
  t.match(other.answers[1].workers, [
    { slot: 0, generation: 1, accesses: 6, counters: { granted: 6 } },
    { slot: 1, accesses: 7 },
  ])
})

t.test('a worker that ends while its numbers are waited for counts once', async (t) => {
  const collector = new StatusCollector()
  const [old, next] = [new Teller(0, 0, 5), new Teller(0, 1, 2)]
  collector.collect(next, 1, 1, [old, next])
  next.tell(collector)
  old.end(collector)
  t.equal(total(next.answers[0]), 7)
})

t.test('the sums of a former supervisor continue, and are replaced when it reports again', async (t) => {
  const former = new StatusCollector()
  const old = new Teller(0, 0, 5)
  old.tell(former)
  former.reloaded('done')
  former.died()
  const next = new StatusCollector()
  next.continueFrom(former.sums([old]))
  const worker = new Teller(0, 0, 2)
  worker.tell(next)
  t.match(next.sums([worker]), {
    totals: { accesses: 7, counters: { granted: 7 } },
    reloads: { done: 1, refused: 0 },
    workerDeaths: 1,
  })

  const last = new Teller(1, 0, 4)
  last.end(former)
  next.continueFrom(former.sums([old]))
  next.reloaded('refused')
  worker.end(next)
  const third = new StatusCollector()
  third.continueFrom(next.sums([]))
  t.match(third.sums([]), {
    totals: { accesses: 11, counters: { granted: 11 } },
    reloads: { done: 1, refused: 1 },
    workerDeaths: 1,
  })
  t.equal(third.sums([]).startedAt, former.sums([]).startedAt, 'the server has been running since then')
})

t.test('sums of another version, which has counted other things, are ignored', async (t) => {
  const former = new StatusCollector()
  const { totals, ...sums } = former.sums([])
  const { hosts: _, ...counters } = totals.counters
  const collector = new StatusCollector()
  collector.continueFrom(JSON.parse(JSON.stringify({ ...sums, totals: { ...totals, accesses: 9, counters } })))
  t.equal(collector.sums([]).totals.accesses, 0)
})
