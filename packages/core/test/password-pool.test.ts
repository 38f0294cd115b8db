import t, { type Test } from 'tap'
import { PasswordPool } from '../src/services/passwords.ts'

/** bcrypt of `secret`, at a cost that a thread computes for some milliseconds. */
const SLOW = '$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC'

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
