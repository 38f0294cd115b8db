import t from 'tap'
import { gone } from '../fixtures/processes.ts'
import { type Mix, WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'

const SOME: Mix = { closing: 2, busy: 2, pausing: 3, pipelining: 1 }

t.test('no request of any kind of client fails while the configuration is loaded again and again', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX })
  const { load } = site
  const former: number[] = []
  for (let reload = 0; reload < 5; reload++) {
    former.push(...(await site.reload('SIGUSR1')))
    await load.answers(300)
  }
  await gone(former)
  t.equal(new Set(former).size, 10, 'each generation had two workers of its own')
  const present = site.workers()
  t.equal(present.length, 2)
  const report = await load.stop()
  t.strictSame(report.failures, {})
  t.equal(report.requests, report.right)
  t.equal(report.strayBytes, 0)
  t.equal(site.generations(), 6)
  t.match(await site.server.stop(), { status: 0, stderr: [] })
})

t.test('reloads that follow each other faster than answers are given wait for them', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 1, mix: SOME })
  const answers: Promise<{ readonly status: number }>[] = []
  for (let reload = 0; reload < 7; reload++) {
    answers.push(site.server.get('/slow/3500'))
    await site.load.answers(50)
    await site.reload('SIGUSR1')
  }
  t.strictSame(
    (await Promise.all(answers)).map(({ status }) => status),
    Array(7).fill(200),
  )
  t.strictSame((await site.load.stop()).failures, {})
})
