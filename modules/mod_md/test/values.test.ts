import t from 'tap'
import { dnsMatches, isDnsName, minimalNames } from '../src/dns-names.ts'
import { readKeySpecs } from '../src/key-specs.ts'
import { durationWords, LIFE_NORM, parseDuration, parseSlice, sliceBeforeEnd, sliceText } from '../src/time-slice.ts'

const DAY = 86_400_000

t.test('a window is a time or a part of the life of a certificate', async (t) => {
  t.same(parseSlice('21', LIFE_NORM), { norm: 0, length: 21 * DAY })
  t.same(parseSlice('33%', LIFE_NORM), { norm: LIFE_NORM, length: 33 * DAY })
  t.equal(sliceText({ norm: 0, length: 21 * DAY }), '21d')
  t.equal(sliceText({ norm: LIFE_NORM, length: 33 * DAY }), '33%')
  const life = { start: 0, end: 90 * DAY }
  t.equal(sliceBeforeEnd(life, { norm: LIFE_NORM, length: 33 * DAY }).start, life.end - 29.7 * DAY)
  t.equal(sliceBeforeEnd(life, { norm: 0, length: DAY }).start, 89 * DAY)
})

t.test('only the first letters of a unit count', async (t) => {
  t.equal(parseDuration('5mi', 's'), 300_000)
  t.equal(parseDuration('5Minutes', 's'), 300_000)
  t.equal(parseDuration('5ms', 's'), 5)
  t.equal(parseDuration('5m', 's'), undefined)
  t.equal(parseDuration('', 'd'), 0)
  t.equal(durationWords(90_061_000), '1 days 1 hours 1 minutes 1 seconds')
})

t.test('a wildcard stands for one label', async (t) => {
  t.equal(dnsMatches('*.example.org', 'a.example.org'), true)
  t.equal(dnsMatches('*.example.org', 'a.b.example.org'), false)
  t.equal(dnsMatches('*.example.org', 'example.org'), false)
  t.same(minimalNames(['a.example.org', '*.example.org', 'example.org']), ['*.example.org', 'example.org'])
})

t.test('names that could leave the store are no names', async (t) => {
  for (const name of ['..', '../x', 'a/b', 'a..b', '', 'a\0b', '[::1]']) t.equal(isDnsName(name, false), false, name)
  t.equal(isDnsName('localhost', true), false)
})

t.test('kinds of keys are those of the line', async (t) => {
  t.same(readKeySpecs(['rsa3072', 'secp384r1']), [
    { kind: 'rsa', bits: 3072 },
    { kind: 'ec', curve: 'secp384r1' },
  ])
  t.same(readKeySpecs(['RSA', '4096']), [{ kind: 'rsa', bits: 4096 }])
})
