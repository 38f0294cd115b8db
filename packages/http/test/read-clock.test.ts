import t from 'tap'
import { ReadClock } from '../src/read-clock.ts'

t.test('without a rate bytes do not extend the time of a head', (t) => {
  const clock = new ReadClock('header', { initial: 1000, longest: 0, rate: 0 }, 5000, 10)
  clock.extend(100_000, 5900)
  t.notOk(clock.isOver(5999))
  t.ok(clock.isOver(6000))
  t.end()
})

t.test('every so many bytes add a second, those that came before included', (t) => {
  const clock = new ReadClock('header', { initial: 1000, longest: 0, rate: 100 }, 0, 50)
  t.notOk(clock.isOver(1499))
  clock.extend(250, 1400)
  t.notOk(clock.isOver(3999))
  t.ok(clock.isOver(4000))
  t.end()
})

t.test('bytes extend the time up to the longest one', (t) => {
  const clock = new ReadClock('header', { initial: 1000, longest: 3000, rate: 1 }, 0, 0)
  clock.extend(1000, 10)
  t.notOk(clock.isOver(2999))
  t.ok(clock.isOver(3000))
  t.end()
})

t.test('the next bytes of a body have a second at least, as long as its time is not over', (t) => {
  const clock = new ReadClock('body', { initial: 1000, longest: 0, rate: 0 }, 0, 0)
  clock.extend(1, 800)
  t.notOk(clock.isOver(1700))
  t.ok(clock.isOver(1800))
  clock.extend(1, 1200)
  t.ok(clock.isOver(1201), 'they came too late')
  t.end()
})
