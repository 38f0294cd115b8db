import { type LogItemMaker, type Request, registerLogItem, type Transaction } from '@gatewright/api'
import { trafficOf } from '@gatewright/api/peers'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { fakeRequest } from '../../mod_env/test/fakes/request.ts'
import { fakeTransaction } from '../../mod_log_config/test/transaction.ts'
import logio, { type LogioConfig } from '../src/index.ts'

/** The module with a mod_log_config that records the added items. */
function withItems(): { readonly bench: Bench<LogioConfig, undefined>; readonly items: Map<string, LogItemMaker> } {
  const bench = new Bench(logio)
  const items = new Map<string, LogItemMaker>()
  bench.functions.offer(registerLogItem, (letter: string, make: LogItemMaker) => void items.set(letter, make))
  bench.hook('preConfig')(bench.start())
  return { bench, items }
}

t.test('LogIOTrackTTFB is allowed anywhere', async (t) => {
  t.same(Object.keys(logio.directives ?? {}), ['LogIOTrackTTFB'])
  const context = ['server', 'virtualhost', 'directory', 'htaccess']
  t.match(logio.directives?.LogIOTrackTTFB, { kind: 'flag', scope: 'directory', override: 'All', context })
})

t.test('%I, %O and %S are the bytes received, sent, and both', async (t) => {
  const { bench, items } = withItems()
  bench.functions.offer(trafficOf, () => ({ received: 89, sent: 243 }))
  const request: Request = fakeRequest()
  const transaction: Transaction = fakeTransaction({ request })
  t.same(
    ['I', 'O', 'S'].map((letter) => items.get(letter)?.('')(request, transaction)),
    ['89', '243', '332'],
  )
})

t.test('without a counter the items are empty', async (t) => {
  const { items } = withItems()
  t.equal(items.get('I')?.('')(fakeRequest(), fakeTransaction()), null)
})

t.test('%^FB is a time only if tracking is on, and not for error pages', async (t) => {
  const { bench, items } = withItems()
  const item = items.get('^FB')?.('')
  t.equal(item?.(fakeRequest(), fakeTransaction({ firstByteUs: 104 })), null)
  bench.use(bench.in('Directory', '/', 'LogIOTrackTTFB On'))
  t.equal(item?.(fakeRequest(), fakeTransaction({ firstByteUs: 104 })), '104')
  t.equal(item?.(fakeRequest(), fakeTransaction({ firstByteUs: null })), null)
})

t.test('a server without mod_log_config starts', async (t) => {
  const bench = new Bench(logio)
  t.doesNotThrow(() => bench.hook('preConfig')(bench.start()))
})
