import t from 'tap'
import { parseReadTime } from '../src/read-time.ts'

t.test('seconds, a range and a rate are parsed', (t) => {
  t.same(parseReadTime('20'), { initial: 20_000, longest: 0, rate: 0 })
  t.same(parseReadTime('20-40,MinRate=500'), { initial: 20_000, longest: 40_000, rate: 500 })
  t.same(parseReadTime('20,minrate=1'), { initial: 20_000, longest: 0, rate: 1 })
  t.same(parseReadTime('10-0,MinRate=1'), { initial: 10_000, longest: 0, rate: 1 })
  t.end()
})

t.test("mistakes are reported with httpd's messages", (t) => {
  for (const [text, error] of [
    ['', "Value '' not numerical"],
    ['x', "Value 'x' not numerical"],
    ['20s', "Cannot parse 's'"],
    ['20-40', 'Must set MinRate option if using timeout range'],
    ['40-20,MinRate=5', 'Maximum timeout must be larger than initial timeout'],
    ['20,MinRate=0', 'Minimum data rate must be larger than 0'],
    ['20,MinRate=-5', 'Value must be non-negative'],
    ['20-40,MinRate=500,foo', "Cannot parse ',foo'"],
  ] as const) {
    t.equal(parseReadTime(text), error, text)
  }
  t.end()
})
