import t from 'tap'
import { Breaker, LeftAlone } from '../src/index.ts'

/** A breaker whose clock the test sets, with what it reports. */
function breaker() {
  const clock = { now: 0 }
  const reports: string[] = []
  const made = new Breaker(
    (error) => reports.push(`opened: ${error.message}`),
    () => reports.push('closed'),
    () => clock.now,
  )
  const ask = async (answer: string | Error): Promise<string | undefined> =>
    made.run(async () => {
      if (answer instanceof Error) throw answer
      return answer
    })
  return { breaker: made, clock, reports, ask }
}

t.test('a server that answers is always asked', async (t) => {
  const { ask, breaker: it } = breaker()
  for (let count = 0; count < 3; count++) t.equal(await ask('yes'), 'yes')
  t.strictSame(it.figures(), { state: 'closed', failures: 0, skipped: 0 })
})

t.test('after a failure it is left alone, first for a second, then twice as long each time, 30 seconds at most', async (t) => {
  const { ask, clock, reports, breaker: it } = breaker()
  t.equal(await ask(new Error('gone')), undefined)
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    clock.now += pause - 1
    t.notOk(it.isReady, `${pause} ms have not passed`)
    t.equal(await ask('yes'), undefined)
    clock.now += 1
    t.ok(it.isReady, `${pause} ms have passed`)
    await ask(new Error('still gone'))
  }
  t.strictSame(reports, ['opened: gone'], 'one report')
  clock.now += 30_000
  t.equal(await ask('yes'), 'yes')
  t.equal(await ask('yes'), 'yes')
  t.strictSame(reports, ['opened: gone', 'closed'])
  t.match(it.figures(), { state: 'closed', failures: 8, skipped: 7 })
})

t.test('after a pause, one operation tries the server, and others do not wait for it', async (t) => {
  const { breaker: it, clock, ask } = breaker()
  await ask(new Error('gone'))
  clock.now = 1_000
  let answer = (_value: string): void => undefined
  const trial = it.run(
    () =>
      new Promise<string>((resolve) => {
        answer = resolve
      }),
  )
  t.equal(await ask('yes'), undefined)
  answer('back')
  t.equal(await trial, 'back')
  t.equal(await ask('yes'), 'yes')
})

t.test('operations that fail together count as one failure for the pause', async (t) => {
  const { breaker: it, clock, reports } = breaker()
  await Promise.all([1, 2, 3].map((number) => it.run(() => Promise.reject(new Error(`gone ${number}`)))))
  t.strictSame(reports, ['opened: gone 1'])
  clock.now = 1_000
  t.ok(it.isReady)
})

t.test('some failures alone have a server left alone, and for less long, where the rules say so', async (t) => {
  const clock = { now: 0 }
  const breaker = new Breaker(
    () => undefined,
    () => undefined,
    () => clock.now,
    undefined,
    { longestPause: 2_000, opensFor: (error) => error.message === 'silent' },
  )
  const fail = (message: string): Promise<unknown> => breaker.attempt(() => Promise.reject(new Error(message)))
  await t.rejects(fail('refused'), { message: 'refused' })
  t.ok(breaker.isReady, 'a refusal costs nothing')
  await t.rejects(fail('silent'), { message: 'silent' })
  await t.rejects(fail('silent'), LeftAlone)
  for (const pause of [1_000, 2_000, 2_000]) {
    clock.now += pause
    await t.rejects(fail('refused'), { message: 'refused' }, 'any failure prolongs the pause')
  }
  t.match(breaker.figures(), { state: 'open', failures: 5, skipped: 1 })
  clock.now += 2_000
  t.equal(await breaker.attempt(async () => 'yes'), 'yes')
  t.match(breaker.figures(), { state: 'closed' })
})
