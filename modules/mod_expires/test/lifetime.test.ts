import t from 'tap'
import { parseLifetime } from '../src/lifetime.ts'

const DAY = 86_400

t.test('the short form consists of a letter and seconds', (t) => {
  t.same(parseLifetime('A60'), { base: 'access', seconds: 60 })
  t.same(parseLifetime('M3600'), { base: 'modification', seconds: 3600 })
  t.same(parseLifetime('A-60'), { base: 'access', seconds: -60 })
  t.same(parseLifetime('A'), { base: 'access', seconds: 0 })
  t.same(parseLifetime('Access plus 1 day'), { base: 'access', seconds: 0 }, 'a capital letter begins it, whatever follows')
  t.end()
})

t.test('several units are added', (t) => {
  t.same(parseLifetime('access plus 1 month 2 days'), { base: 'access', seconds: 32 * DAY })
  t.same(parseLifetime('now 5 minutes 7 seconds'), { base: 'access', seconds: 307 })
  t.same(parseLifetime('modification plus 1 year 1 week 1 hour'), { base: 'modification', seconds: 372 * DAY + 3600 })
  t.same(parseLifetime('access'), { base: 'access', seconds: 0 })
  t.end()
})

t.test('only the first one or two letters of a word count', (t) => {
  t.same(parseLifetime('acc p 1 mo 1 mi'), { base: 'access', seconds: 30 * DAY + 60 })
  t.same(parseLifetime('never plus 1 d'), { base: 'access', seconds: DAY })
  t.equal(parseLifetime('access plus 1 m'), "bad expires code, unrecognised <type>'m'")
  t.end()
})

t.test('mistakes are reported with the word', (t) => {
  t.equal(parseLifetime('X60'), "bad expires code, unrecognised <base> 'X60'")
  t.equal(parseLifetime('access plus one day'), "bad expires code, numeric value expected <num> 'one'")
  t.equal(parseLifetime('access plus 1'), 'bad expires code, missing <type>')
  t.equal(parseLifetime('access plus 1 fortnight'), "bad expires code, unrecognised <type>'fortnight'")
  t.end()
})

t.test('no time is longer than 68 years', (t) => {
  t.same(parseLifetime('A999999999999'), { base: 'access', seconds: 2 ** 31 - 1 })
  t.same(parseLifetime('access plus 99999999 years'), { base: 'access', seconds: 2 ** 31 - 1 })
  t.end()
})
