import t, { type Test } from 'tap'
import { costliestHash, isTooCostly, tooCostlyMessage } from '../src/services/password-cost.ts'
import { PasswordPool } from '../src/services/passwords.ts'

/** bcrypt of `secret`, at a cost that a thread computes for some milliseconds. */
const SLOW = '$2y$05$6fOLWqT3k7IiCmMTMjyWoe19h8SvaF0mwC143bPX4gy43vpu2XiK6'

/** bcrypt of another password. */
const OTHER = SLOW.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))

const DYING = new URL('./support/dying-password-worker.ts', import.meta.url)

/** A pool of one thread. */
function makePool(t: Test): PasswordPool {
  return keepAlive(t, new PasswordPool({ size: 1 }))
}

/** Threads do not keep a process alive, so a timer does. */
function keepAlive(t: Test, pool: PasswordPool): PasswordPool {
  const timer = setInterval(() => undefined, 1000)
  t.teardown(async () => {
    clearInterval(timer)
    await pool.close()
  })
  return pool
}

t.test('logins of disconnected clients are dropped before they are computed', async (t) => {
  const pool = makePool(t)
  let asked = 0
  const gone = (): boolean => {
    asked++
    return false
  }
  const first = pool.verify(SLOW, 'no')
  const dropped = Array.from({ length: 10 }, () => pool.verify(SLOW, 'no', { wanted: gone }))
  const last = pool.verify(SLOW, 'no')
  for (const one of dropped)
    await t.rejects(Promise.resolve(one), { name: 'PasswordQueueFull', message: 'the client has disconnected' })
  t.equal(asked, 10)
  t.equal(await first, false)
  t.equal(await last, false)
  t.strictSame(pool.counters, { computed: 2, remembered: 0, dropped: 10 })
})

t.test('an unknown user whose client has disconnected is refused without a computation', async (t) => {
  const pool = makePool(t)
  const first = pool.verify(SLOW, 'no')
  const refused = pool.refuse(SLOW, 'no', () => false)
  t.equal(await refused, false)
  t.equal(await first, false)
  t.strictSame(pool.counters, { computed: 1, remembered: 0, dropped: 1 })
})

t.test('a password that matched is known for a while, and no other one with it', async (t) => {
  const pool = makePool(t)
  const waited = pool.verify(SLOW, 'secret')
  t.ok(waited instanceof Promise, 'the first login costs what the hash costs')
  t.equal(await waited, true)
  t.equal(pool.verify(SLOW, 'secret'), true, 'the next one nothing')
  t.strictSame(pool.counters, { computed: 1, remembered: 1, dropped: 0 })
  t.equal(await pool.verify(SLOW, 'secreT'), false)
  t.equal(await pool.verify(SLOW, ''), false)
  const changed = pool.verify(OTHER, 'secret')
  t.ok(changed instanceof Promise, 'a hash that was changed is another one')
  t.equal(await changed, false)
})

t.test('a password that did not match is verified again each time', async (t) => {
  const pool = makePool(t)
  for (const round of [1, 2]) {
    const waited = pool.verify(SLOW, 'guess')
    t.ok(waited instanceof Promise, `guess ${round}`)
    t.equal(await waited, false)
  }
})

t.test('a full queue drops logins of disconnected clients', async (t) => {
  const pool = makePool(t)
  let here = true
  const leaving = Array.from({ length: 65 }, () => Promise.resolve(pool.verify(SLOW, 'no', { wanted: () => here })))
  const settled = Promise.allSettled(leaving)
  await t.rejects(Promise.resolve(pool.verify(SLOW, 'no')), { name: 'PasswordQueueFull', message: /waiting/ })
  here = false
  t.equal(await pool.verify(SLOW, 'no'), false)
  t.equal((await settled).filter(({ status }) => status === 'rejected').length, 64)
})

t.test('a thread that dies fails only its own login and is replaced', async (t) => {
  const pool = keepAlive(t, new PasswordPool({ size: 1, threadFile: DYING, threadMemory: 64 }))
  for (const [end, message] of [
    ['throw', /the hash went wrong/],
    ['exit', /a password thread has ended/],
    ['exhaust', /memory/],
  ] as const) {
    const before = pool.verify(SLOW, `before ${end}`)
    const doomed = Promise.resolve(pool.verify(SLOW, end))
    const after = pool.verify(SLOW, `after ${end}`)
    const failed = t.rejects(doomed, { message }, end)
    t.equal(await before, true)
    await failed
    t.equal(await after, true, `the login behind ${end} is answered by a new thread`)
  }
})

t.test('a hash that would take hours matches nothing and never reaches a thread', async (t) => {
  const pool = makePool(t)
  for (const hostile of [
    SLOW.replace('$05$', '$31$'),
    SLOW.replace('$05$', '$18$'),
    `$6$rounds=999999999$salt$${'.'.repeat(86)}`,
    `$5$rounds=999999999$salt$${'.'.repeat(43)}`,
  ]) {
    t.equal(pool.verify(hostile, 'secret'), false, hostile)
    t.equal(pool.refuse(hostile, 'secret'), false, `${hostile} as a decoy`)
    t.equal(isTooCostly(hostile), true)
  }
  t.equal(isTooCostly(SLOW.replace('$05$', '$17$')), false, 'htpasswd makes this one')
  t.equal(costliestHash([SLOW, SLOW.replace('$05$', '$31$'), '']), SLOW)
  t.match(tooCostlyMessage('bob'), /^the password of user bob is not checked: .*hint: create it again/)
})

t.test('a refusal waits in the same queue as a login, and the answer of its thread counts for nothing', async (t) => {
  const pool = makePool(t)
  const waiting = Array.from({ length: 65 }, () => pool.refuse(SLOW, 'secret'))
  await t.rejects(Promise.resolve(pool.refuse(SLOW, 'secret')), { name: 'PasswordQueueFull' })
  t.same(await Promise.all(waiting), new Array(65).fill(false))
})

t.test('logins that wait when the pool is closed are refused', async (t) => {
  const pool = makePool(t)
  const waiting = [pool.verify(SLOW, 'one'), pool.verify(SLOW, 'two'), pool.refuse(SLOW, 'three')]
  const settled = Promise.allSettled(waiting)
  await pool.close()
  t.same(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  await t.rejects(Promise.resolve(pool.verify(SLOW, 'late')), { message: 'the password threads have ended' })
})
