import t from 'tap'
import { ServerLoad } from '../src/server-load.ts'

t.test('percentages refer to the slots of running workers, and are rounded down', async (t) => {
  const made = new ServerLoad(async () => ({ threadsPerWorker: 25, workers: [{ busy: 1 }, { busy: 0 }, { busy: 0 }] }))
  t.match(made, { idle: 100, busy: 0 })
  await made.refresh()
  t.match(made, { idle: 98, busy: 1 })
})

t.test('more requests than slots is 100 percent', async (t) => {
  const made = new ServerLoad(async () => ({ threadsPerWorker: 2, workers: [{ busy: 5 }] }))
  await made.refresh()
  t.match(made, { idle: 0, busy: 100 })
})

t.test('the last numbers are kept if there are no new ones', async (t) => {
  let fails = false
  const made = new ServerLoad(async () => {
    if (fails) throw new Error('no answer')
    return { threadsPerWorker: 2, workers: [{ busy: 1 }] }
  })
  await made.refresh()
  fails = true
  await made.refresh()
  t.match(made, { idle: 50, busy: 50 })
})
