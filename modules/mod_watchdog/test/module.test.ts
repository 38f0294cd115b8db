import { configError, observedModule, site } from '@gatewright/testing'
import t from 'tap'
import watchdog from '../src/index.ts'

t.test('WatchdogInterval is allowed in the main server and takes one word', async (t) => {
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
    t.equal(await configError({ modules: [watchdog], config: `WatchdogInterval ${text}` }), undefined)
    const observed = observedModule(watchdog)
    const server = await site({ modules: [observed.module], config: `WatchdogInterval ${text}` })
    t.teardown(() => server.close())
    t.equal(observed.host.serverConfigOf(server.configuration.main).interval, expected)
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
  t.test(`an interval of ${text} is rejected`, async (t) => {
    t.equal(await configError({ modules: [watchdog], config: `WatchdogInterval ${text}` }), expected)
  })
}
