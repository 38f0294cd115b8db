import { isRequestTooExpensive } from '@gatewright/api'
import t from 'tap'
import { RequestWork } from '../src/work/request-work.ts'
import { type LoopClock, TurnQueue } from '../src/work/turn-queue.ts'

/** A clock that a test sets, and a simulated event loop. */
class FakeLoop implements LoopClock {
  time = 1000
  /** The share of the time in which this thread runs. */
  share = 1
  readonly #turns: (() => void)[] = []
  now(): number {
    return this.time
  }
  used(): number {
    return this.time * this.share
  }
  nextTurn(act: () => void): void {
    this.#turns.push(act)
  }
  /** One turn: runs the callbacks that were due before it began. */
  async turn(): Promise<void> {
    for (const act of this.#turns.splice(0)) act()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Computes until a slice ends.
 * @returns the number of steps
 */
function compute(work: RequestWork, loop: FakeLoop, msPerStep: number, most = 10_000): number {
  for (let step = 0; step < most; step++) {
    if (work.spend()) return step
    loop.time += msPerStep
  }
  return most
}

t.test('cheap computing never waits, and hardly looks at the clock', async (t) => {
  let looks = 0
  const loop: LoopClock = { now: () => looks++, used: () => looks, nextTurn: () => undefined }
  const work = new RequestWork(new TurnQueue(loop), 1000)
  for (let step = 0; step < 640; step++) t.equal(work.spend(), false)
  t.ok(looks <= 10, `${looks} looks`)
})

t.test('computing pauses after a slice of the turn, and continues in the next turn', async (t) => {
  const loop = new FakeLoop()
  const work = new RequestWork(new TurnQueue(loop), 1000)
  const steps = compute(work, loop, 0.1)
  t.ok(steps >= 200 && steps <= 400, `${steps} steps`)
  t.equal(work.spend(), true, 'it stays due')
  let resumed = false
  const waiting = work.pause().then(() => {
    resumed = true
  })
  t.equal(resumed, false)
  await loop.turn()
  await waiting
  t.equal(work.spend(), false)
})

t.test('a turn belongs to all who compute: one slice of it is for all of them together', async (t) => {
  const loop = new FakeLoop()
  const turns = new TurnQueue(loop)
  const first = new RequestWork(turns, 1000)
  const second = new RequestWork(turns, 1000)
  compute(first, loop, 1)
  const steps = compute(second, loop, 1)
  t.ok(steps <= 64, `${steps} steps before it looks at the clock`)
})

t.test('one waiting request continues in each turn, the one with the least use first', async (t) => {
  const loop = new FakeLoop()
  const turns = new TurnQueue(loop)
  const order: string[] = []
  const long = new RequestWork(turns, 1000)
  const short = new RequestWork(turns, 1000)
  compute(long, loop, 5)
  compute(short, loop, 0.01)
  void long.pause().then(() => order.push('long'))
  void short.pause().then(() => order.push('short'))
  await loop.turn()
  t.strictSame(order, ['short'])
  await loop.turn()
  t.strictSame(order, ['short', 'long'])
})

t.test('a request that has reached its limit does not continue, and the error names the line', async (t) => {
  const loop = new FakeLoop()
  const work = new RequestWork(new TurnQueue(loop), 100)
  const place = { name: 'RewriteRule', file: '/srv/.htaccess', line: 7 }
  for (let slices = 0; ; slices++) {
    compute(work, loop, 0.5)
    const pause = work.pause(place)
    const failure = await Promise.race([
      pause.then(
        () => null,
        (error: unknown) => error,
      ),
      loop.turn().then(() => null),
    ])
    if (failure === null) {
      await pause
      if (slices > 10) return t.fail('it goes on without end')
      continue
    }
    t.ok(isRequestTooExpensive(failure))
    t.match(failure, {
      message:
        '/srv/.htaccess:7: RewriteRule: the request was ended after 0.1 s of computing, which is all that LimitComputingTime allows',
    })
    return t.ok(slices >= 2, 'not before it has used 100 ms')
  }
})

t.test('work that cannot wait must pause only after far more than a slice', async (t) => {
  const loop = new FakeLoop()
  const work = new RequestWork(new TurnQueue(loop), 1000)
  const steps = work.inOneGo(() => compute(work, loop, 1))
  t.ok(steps >= 100 && steps <= 200, `${steps} steps`)
  t.equal(work.spend(), true)
})

t.test('time in which other programs had the processor makes others wait, but is not charged to the request', async (t) => {
  const loop = new FakeLoop()
  loop.share = 0.001
  const work = new RequestWork(new TurnQueue(loop), 100)
  for (let turn = 0; turn < 50; turn++) {
    t.ok(compute(work, loop, 1) <= 128, 'a slice ends by the clock')
    const waiting = work.pause()
    await loop.turn()
    await waiting
  }
})

t.test('work that cannot wait is measured by processor time, so that a busy machine does not change a response', async (t) => {
  const loop = new FakeLoop()
  loop.share = 0.1
  const work = new RequestWork(new TurnQueue(loop), 1000)
  const steps = work.inOneGo(() => compute(work, loop, 1))
  t.ok(steps >= 1000 && steps <= 1128, `${steps} steps of 0.1 ms`)
})

t.test('what others have used of a turn leaves work that cannot wait a share of its own', async (t) => {
  const loop = new FakeLoop()
  const turns = new TurnQueue(loop)
  const first = new RequestWork(turns, 1000)
  const second = new RequestWork(turns, 1000)
  first.inOneGo(() => compute(first, loop, 1))
  const steps = second.inOneGo(() => compute(second, loop, 0.1))
  t.ok(steps >= 200 && steps <= 328, `${steps} steps of 0.1 ms`)
})
