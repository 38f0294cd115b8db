import t from 'tap'
import { HeartbeatWatch, type Watched } from '../src/supervisor/heartbeat-watch.ts'

class Worker implements Watched {
  readonly state: Watched['state']
  waitsForPerson = false
  lastHeard: number
  /** The actions on it. */
  readonly fate: (string | number)[] = []
  readonly killed = Promise.withResolvers<void>()

  constructor(state: Watched['state'], silence: number) {
    this.state = state
    this.lastHeard = performance.now() - silence
  }

  interrupt(seconds: number): void {
    this.fate.push(seconds)
  }

  kill(): void {
    this.fate.push('killed')
    this.killed.resolve()
  }
}

/** Long silences, so that a machine that stalls for seconds changes no verdict. */
const LIMITS = { silence: 500_000, loading: 5_000_000, tick: 20, lastWords: 60 }
/** The timers of the watch do not keep the test alive. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

t.test(
  'a silent worker is interrupted once and then killed, one that loads has more time, and one that waits for another or for a person is let be',
  async (t) => {
    const alive = new Worker('serving', 100_000)
    const blocked = new Worker('serving', 600_000)
    const loading = new Worker('loading', 600_000)
    const stuck = new Worker('loading', 6_000_000)
    const waiting = new Worker('prepared', 6_000_000)
    const asking = new Worker('loading', 6_000_000)
    asking.waitsForPerson = true
    const watch = new HeartbeatWatch(() => [alive, blocked, loading, stuck, waiting, asking], LIMITS)
    const awake = setInterval(() => undefined, 10)
    await Promise.all([blocked.killed.promise, stuck.killed.promise])
    clearInterval(awake)
    watch.stop()
    t.strictSame([alive.fate, loading.fate, waiting.fate, asking.fate], [[], [], [], []])
    t.strictSame(blocked.fate, [600, 'killed'])
    t.strictSame(stuck.fate, [6000, 'killed'])
  },
)

t.test('after the machine was suspended no worker counts as blocked', async (t) => {
  const blocked = new Worker('serving', 600_000)
  const watch = new HeartbeatWatch(() => [blocked], LIMITS)
  const wake = performance.now() + 100
  while (performance.now() < wake);
  await pause(50)
  watch.stop()
  t.strictSame(blocked.fate, [])
})
