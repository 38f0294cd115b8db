import t from 'tap'
import { areSuitable, Pool, type PoolLimits } from '../src/pool/pool.ts'

/** A member with a number. */
class Member {
  isLost = false
  isClosed = false
  readonly number: number

  constructor(number: number) {
    this.number = number
  }

  close(): void {
    this.isClosed = true
  }
}

/** A pool whose clock and members the test controls. */
function pool(limits: Partial<PoolLimits> = {}) {
  const members: Member[] = []
  const clock = { now: 0 }
  const losses = { count: 0 }
  const trouble: { error: Error | null } = { error: null }
  const made = new Pool<Member>(
    { min: 1, keep: 1, max: 2, idle: 1000, patience: 60_000, ...limits },
    async () => {
      if (trouble.error !== null) throw trouble.error
      const member = new Member(members.length)
      members.push(member)
      return member
    },
    () => {
      losses.count++
    },
    () => clock.now,
  )
  return { pool: made, members, clock, losses, trouble }
}

/** An operation that ends when the test says so. */
function held() {
  let end = (): void => undefined
  const numbers: number[] = []
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const operation = async ({ number }: Member): Promise<number> => {
    numbers.push(number)
    await ended
    return number
  }
  return { operation, end: () => end(), numbers }
}

t.test('one member serves one operation after the other', async (t) => {
  const { pool: it, members } = pool()
  for (let count = 0; count < 5; count++) t.equal(await it.use(async ({ number }) => number, 'once'), 0)
  t.equal(members.length, 1)
})

t.test('operations beyond the most members wait for one that is free', async (t) => {
  const { pool: it, members } = pool()
  const first = held()
  const second = held()
  const uses = [it.use(first.operation, 'once'), it.use(second.operation, 'once'), it.use(async ({ number }) => number, 'once')]
  await new Promise(setImmediate)
  t.equal(members.length, 2)
  second.end()
  t.equal(await uses[2], 1)
  first.end()
  t.strictSame(await Promise.all(uses), [0, 1, 1])
})

t.test('nobody waits for ever for a member that is never free', async (t) => {
  const { pool: it } = pool({ max: 1, patience: 20 })
  const never = (): Promise<number> => new Promise(() => undefined)
  const settled = await Promise.allSettled([1, 2, 3].map(() => it.use(never, 'once')))
  for (const one of settled) t.match(one, { status: 'rejected', reason: { name: 'TimedOut' } })
  t.type(await it.use(async ({ number }) => number, 'once'), 'number')
})

t.test('a member on which an operation takes too long is closed, and others are served', async (t) => {
  const { pool: it, members } = pool({ max: 1, patience: 20 })
  await t.rejects(
    it.use(() => new Promise(() => undefined), 'repeatable'),
    { name: 'TimedOut' },
  )
  t.equal(members[0]?.isClosed, true)
  t.equal(await it.use(async ({ number }) => number, 'once'), 1)
})

t.test('a member that was lost while it was idle is replaced before it is used', async (t) => {
  const { pool: it, members, losses } = pool()
  await it.fill()
  const [first] = members
  if (first !== undefined) first.isLost = true
  t.equal(await it.use(async ({ number }) => number, 'once'), 1)
  t.equal(first?.isClosed, true)
  t.equal(losses.count, 1)
})

t.test('an operation on a used member that is lost meanwhile runs again if it may, on a new one', async (t) => {
  const lose = async (member: Member): Promise<number> => {
    if (member.number === 0) {
      member.isLost = true
      throw new Error('gone')
    }
    return member.number
  }
  const one = pool()
  await one.pool.fill()
  t.equal(await one.pool.use(lose, 'repeatable'), 1)
  const other = pool()
  await other.pool.fill()
  await t.rejects(other.pool.use(lose, 'once'), { message: 'gone' })
  const fresh = pool()
  await t.rejects(fresh.pool.use(lose, 'repeatable'), { message: 'gone' }, 'the first use of a member shows the real reason')
  for (const { pool: it } of [one, other, fresh]) t.ok(it.size <= 1)
})

t.test('members that are idle for too long are replaced', async (t) => {
  const { pool: it, members, clock } = pool()
  await it.fill()
  clock.now = 999
  t.equal(await it.use(async ({ number }) => number, 'once'), 0)
  clock.now = 1999
  t.equal(await it.use(async ({ number }) => number, 'once'), 1)
  t.equal(members[0]?.isClosed, true)
})

t.test('an error of a new member reaches who waits, and leaves no trace', async (t) => {
  const { pool: it, trouble } = pool({ max: 1 })
  trouble.error = new Error('refused')
  const results = await Promise.allSettled([1, 2, 3].map(() => it.use(async ({ number }) => number, 'once')))
  for (const result of results) t.match(result, { status: 'rejected', reason: { message: 'refused' } })
  t.equal(it.size, 0)
  trouble.error = null
  t.equal(await it.use(async ({ number }) => number, 'once'), 0)
  await t.resolves(it.fill())
})

t.test('a closed pool closes its members, and those in use when they are free', async (t) => {
  const { pool: it, members } = pool({ max: 1 })
  const first = held()
  const use = it.use(first.operation, 'once')
  const waiting = it.use(first.operation, 'once')
  await new Promise(setImmediate)
  it.close()
  await t.rejects(waiting, { message: 'the pool is closed' })
  t.equal(members[0]?.isClosed, false)
  first.end()
  await use
  t.equal(members[0]?.isClosed, true)
  await t.rejects(it.use(first.operation, 'once'), { message: 'the pool is closed' })
  t.equal(it.size, 0)
})

t.test('limits that decrease make no sense', async (t) => {
  const limits = { min: 1, keep: 2, max: 10, idle: 0, patience: 1 }
  t.ok(areSuitable(limits))
  t.notOk(areSuitable({ ...limits, min: 3 }))
  t.notOk(areSuitable({ ...limits, max: 1 }))
  t.notOk(areSuitable({ ...limits, min: 0, keep: 0, max: 0 }))
})
