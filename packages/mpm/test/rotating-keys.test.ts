import t from 'tap'
import { RotatingKeys } from '../src/supervisor/rotating-keys.ts'

const HOUR = 60 * 60 * 1000

t.test('a key is used for a day and kept for another', (t) => {
  const keys = new RotatingKeys(null, 0)
  const first = keys.pair.current
  t.equal(Buffer.from(first, 'base64').length, 32)
  t.equal(keys.pair.previous, null)
  t.equal(keys.rotate(23 * HOUR), false)
  t.equal(keys.rotate(24 * HOUR), true)
  t.equal(keys.pair.previous, first)
  t.not(keys.pair.current, first)
  t.equal(keys.rotate(25 * HOUR), false)
  t.equal(keys.rotate(48 * HOUR), true)
  t.not(keys.pair.previous, first, 'forgotten')
  t.end()
})

t.test('a successor continues with the keys and their age, and a clock that was set back makes a new key', (t) => {
  const former = new RotatingKeys(null, 100 * HOUR)
  const keys = new RotatingKeys(former.pair, 110 * HOUR)
  t.same(keys.pair, former.pair)
  t.equal(keys.rotate(123 * HOUR), false)
  t.equal(keys.rotate(70 * HOUR), true)
  t.equal(keys.pair.previous, former.pair.current)
  t.end()
})
