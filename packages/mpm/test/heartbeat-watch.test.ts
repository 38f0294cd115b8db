import t from 'tap'
import { HeartbeatWatch, type Watched } from '../src/supervisor/heartbeat-watch.ts'

const worker = (state: Watched['state'], silence: number): Watched & { killed: number } => ({
  state,
  lastHeard: performance.now() - silence,
  killed: 0,
  kill() {
    this.killed++
  },
})
const LIMITS = { silence: 5_000, loading: 50_000, tick: 20 }
const ticks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

t.test('a silent worker is told about and killed, one that loads has more time', async (t) => {
  const alive = worker('serving', 1_000)
  const blocked = worker('serving', 6_000)
  const loading = worker('loading', 6_000)
  const stuck = worker('loading', 60_000)
  const told: [Watched, number][] = []
  const watch = new HeartbeatWatch(
    () => [alive, blocked, loading, stuck],
    (one, seconds) => told.push([one, seconds]),
    LIMITS,
  )
  // The timer of the watch does not keep the test alive.
  await ticks()
  watch.stop()
  t.strictSame([alive.killed, loading.killed], [0, 0])
  t.ok(blocked.killed > 0 && stuck.killed > 0)
  t.strictSame(told.slice(0, 2), [
    [blocked, 6],
    [stuck, 60],
  ])
})

t.test('after the machine slept nobody is blocked', async (t) => {
  const blocked = worker('serving', 6_000)
  const watch = new HeartbeatWatch(
    () => [blocked],
    () => undefined,
    LIMITS,
  )
  const wake = performance.now() + 100
  while (performance.now() < wake);
  await ticks()
  watch.stop()
  t.equal(blocked.killed, 0)
})
