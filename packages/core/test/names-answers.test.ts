import t from 'tap'
import { type Answer, Answers } from '../src/services/names/answers.ts'

class Clock {
  time = 0
  readonly now = (): number => this.time
}

const answers = (options: Partial<ConstructorParameters<typeof Answers>[0]> = {}): Answers =>
  new Answers({ entries: 100, underWay: 100, patience: 60_000, onRefused: () => undefined, now: () => 0, ...options })

/** Counts its calls. */
function asking(answer: Answer): { ask: () => Promise<Answer>; count: number } {
  const counted = {
    count: 0,
    ask: async () => {
      counted.count++
      return answer
    },
  }
  return counted
}

const X: Answer = { values: ['x'], lifetime: 1000 }

t.test('an answer is remembered for its lifetime, and not a millisecond longer', async (t) => {
  const clock = new Clock()
  const known = answers({ now: clock.now })
  clock.time = 5
  const { ask } = asking(X)
  t.same(await known.of('q', ask), ['x'])
  clock.time = 1005
  t.same(known.of('q', ask), ['x'], 'at once')
  clock.time = 1006
  t.type(known.of('q', ask), Promise)
})

t.test('an answer without a lifetime is not cached', async (t) => {
  const known = answers()
  const counted = asking({ values: ['x'], lifetime: 0 })
  await known.of('q', counted.ask)
  await known.of('q', counted.ask)
  t.equal(counted.count, 2)
})

t.test('concurrent lookups of the same name share one query', async (t) => {
  const known = answers()
  const counted = asking(X)
  const all = await Promise.all(Array.from({ length: 50 }, () => known.of('q', counted.ask)))
  t.equal(counted.count, 1)
  t.ok(all.every(([value]) => value === 'x'))
})

t.test('at the limit of pending queries, a lookup has no result, sends no query, and is not cached', async (t) => {
  let refused = 0
  const known = answers({ underWay: 2, onRefused: () => refused++ })
  const slow = Promise.withResolvers<Answer>()
  const first = known.of('a', () => slow.promise)
  const second = known.of('b', () => slow.promise)
  const counted = asking(X)
  t.same(known.of('c', counted.ask), [])
  t.equal(counted.count, 0)
  t.equal(refused, 1, 'and that is reported')
  t.equal(known.of('a', counted.ask), first, 'sharing takes no place')
  slow.resolve(X)
  t.same(await Promise.all([first, second]), [['x'], ['x']])
  t.same(await known.of('c', counted.ask), ['x'])
})

t.test('a question has no answer when patience ends, and keeps its place until it really ended', async (t) => {
  const known = answers({ underWay: 1, patience: 1 })
  const slow = Promise.withResolvers<Answer>()
  t.same(await known.of('a', () => slow.promise), [])
  t.same(await known.of('a', asking(X).ask), [], 'the same question is not asked twice')
  t.same(known.of('b', asking(X).ask), [], 'no place is free')
  slow.resolve(X)
  await slow.promise
  await new Promise(setImmediate)
  t.same(known.of('a', asking(X).ask), ['x'], 'the late answer is remembered')
  t.same(await known.of('b', asking(X).ask), ['x'])
})

t.test('a question that fails has no answer', async (t) => {
  t.same(await answers().of('a', () => Promise.reject(new Error('no'))), [])
})

t.test('memory is limited: the least recently used answer is removed', async (t) => {
  const known = answers({ entries: 2 })
  const [a, b, c] = [asking(X), asking(X), asking(X)]
  await known.of('a', a.ask)
  await known.of('b', b.ask)
  await known.of('a', a.ask)
  await known.of('c', c.ask)
  t.same(known.of('a', a.ask), ['x'])
  t.type(known.of('b', b.ask), Promise)
  t.same([a.count, b.count, c.count], [1, 2, 1])
})
