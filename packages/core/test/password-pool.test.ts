import t, { type Test } from 'tap'
import { PasswordPool } from '../src/services/passwords.ts'

/** bcrypt of `secret`, at a cost that a thread computes for some milliseconds. */
const SLOW = '$2y$05$6fOLWqT3k7IiCmMTMjyWoe19h8SvaF0mwC143bPX4gy43vpu2XiK6'

/** bcrypt of something else. */
const OTHER = SLOW.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))

/** A pool of one thread. Threads keep no process alive, so a timer does. */
function makePool(t: Test): PasswordPool {
  const pool = new PasswordPool(1)
  const timer = setInterval(() => undefined, 1000)
  t.teardown(async () => {
    clearInterval(timer)
    await pool.close()
  })
  return pool
}

t.test('logins of clients that have gone are dropped before they cost anything', async (t) => {
  const pool = makePool(t)
  let asked = 0
  const gone = (): boolean => {
    asked++
    return false
  }
  const first = pool.verify(SLOW, 'no')
  const dropped = Array.from({ length: 10 }, () => pool.verify(SLOW, 'no', gone))
  const last = pool.verify(SLOW, 'no')
  for (const one of dropped) await t.rejects(Promise.resolve(one), { name: 'PasswordQueueFull', message: 'the client has gone' })
  t.equal(asked, 10)
  t.equal(await first, false)
  t.equal(await last, false)
})

t.test('a password that matched is known for a while, and no other one with it', async (t) => {
  const pool = makePool(t)
  const waited = pool.verify(SLOW, 'secret')
  t.ok(waited instanceof Promise, 'the first login costs what the hash costs')
  t.equal(await waited, true)
  t.equal(pool.verify(SLOW, 'secret'), true, 'the next one nothing')
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

t.test('a full queue makes room of clients that have gone', async (t) => {
  const pool = makePool(t)
  let here = true
  const leaving = Array.from({ length: 65 }, () => Promise.resolve(pool.verify(SLOW, 'no', () => here)))
  const settled = Promise.allSettled(leaving)
  await t.rejects(Promise.resolve(pool.verify(SLOW, 'no')), { name: 'PasswordQueueFull', message: /waiting/ })
  here = false
  t.equal(await pool.verify(SLOW, 'no'), false)
  t.equal((await settled).filter(({ status }) => status === 'rejected').length, 64)
})
