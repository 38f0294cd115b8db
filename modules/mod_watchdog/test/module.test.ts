import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import watchdog from '../src/index.ts'

t.test('WatchdogInterval belongs to the main server and takes one word', async (t) => {
  t.same(Object.keys(watchdog.directives ?? {}), ['WatchdogInterval'])
  t.match(watchdog.directives?.WatchdogInterval, { kind: 'take1', scope: 'server', context: ['server'] })
})

const ACCEPTED: readonly (readonly [string, number])[] = [
  ['5', 5000],
  ['100ms', 100],
  ['2s', 2000],
  ['5min', 300_000],
  ['5H', 18_000_000],
]

for (const [text, expected] of ACCEPTED) {
  t.test(`an interval of ${text} is ${expected} milliseconds`, async (t) => {
    const bench = new Bench(watchdog)
    t.equal(bench.main(`WatchdogInterval ${text}`), undefined)
    t.equal(bench.serverConfig().interval, expected)
  })
}

const REFUSED: readonly (readonly [string, string])[] = [
  ['x', 'Unparse-able WatchdogInterval setting'],
  ['-1', 'Unparse-able WatchdogInterval setting'],
  ['5x', 'Unparse-able WatchdogInterval setting'],
  ['10us', 'Unparse-able WatchdogInterval setting'],
  ['0', 'Invalid WatchdogInterval: minimal value 100ms'],
  ['5ms', 'Invalid WatchdogInterval: minimal value 100ms'],
]

for (const [text, expected] of REFUSED) {
  t.test(`an interval of ${text} is refused`, async (t) => {
    t.equal(new Bench(watchdog).main(`WatchdogInterval ${text}`), expected)
  })
}
