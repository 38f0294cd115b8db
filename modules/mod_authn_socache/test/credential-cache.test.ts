import t from 'tap'
import { CredentialCache } from '../src/credential-cache.ts'

t.test('an entry is valid until its lifetime ends, counted from when it was last stored', async (t) => {
  let now = 0
  const cache = new CredentialCache(10_000, () => now)
  cache.set('a', 'one', 1000)
  now = 999
  t.equal(cache.get('a'), 'one')
  now = 1000
  t.equal(cache.get('a'), undefined)
  cache.set('a', 'two', 1000)
  now = 1500
  cache.set('a', 'three', 1000)
  now = 2400
  t.equal(cache.get('a'), 'three')
})

t.test('new entries replace the oldest', async (t) => {
  const cache = new CredentialCache(1000, () => 0)
  for (let number = 0; number < 1000; number++) t.ok(cache.set(`key ${number}`, 'x'.repeat(200), 1))
  const left = Array.from({ length: 1000 }, (_, number) => number).filter((number) => cache.get(`key ${number}`) !== undefined)
  t.same(left, [997, 998, 999])
})

t.test('an entry that was stored again is a new one', async (t) => {
  const cache = new CredentialCache(700, () => 0)
  for (const key of ['a', 'b', 'a', 'c']) cache.set(key, 'x'.repeat(200), 1)
  t.same(
    ['a', 'b', 'c'].map((key) => cache.get(key) !== undefined),
    [true, false, true],
  )
})

t.test('expired entries release their space', async (t) => {
  let now = 0
  const cache = new CredentialCache(700, () => now)
  cache.set('a', 'x'.repeat(200), 10)
  cache.set('b', 'x'.repeat(200), 1)
  now = 5
  t.equal(cache.get('b'), undefined)
  cache.set('c', 'x'.repeat(200), 10)
  t.ok(cache.get('a'))
  t.ok(cache.get('c'))
})

t.test('an entry larger than the cache is rejected, and the former value is removed', async (t) => {
  const cache = new CredentialCache(500, () => 0)
  t.ok(cache.set('a', 'x', 1))
  t.notOk(cache.set('a', 'x'.repeat(500), 1))
  t.equal(cache.get('a'), undefined)
})
