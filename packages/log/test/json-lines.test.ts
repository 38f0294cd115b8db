import t from 'tap'
import { compileErrorLogFormat, createJsonLines, createJsonWrapper, jsonTime, LEVELS } from '../src/index.ts'

t.test('every byte in a value makes a line of ASCII that is JSON', async (t) => {
  const line = createJsonLines()
  for (let byte = 0; byte < 256; byte++) {
    const text = `a${String.fromCharCode(byte)}"\\z`
    const made = line({ text })
    t.match(made, /^[ -~]+\n$/)
    t.equal(JSON.parse(made).text, text)
  }
})

t.test('values are read as UTF-8, or byte by byte where they are none', async (t) => {
  const line = createJsonLines()
  t.equal(JSON.parse(line({ text: '\xf0\x9f\x94\x92\xef\xbb\xbf' })).text, '\u{1f512}\ufeff')
  t.equal(JSON.parse(line({ text: '\xe2\x82' })).text, '\u00e2\u0082')
})

t.test('what is undefined or null is left out', async (t) => {
  t.strictSame(Object.keys(JSON.parse(createJsonLines()({ a: undefined, b: null, c: 0, d: '' }))), ['ecs.version', 'c', 'd'])
})

t.test('times are UTC with microseconds', async (t) => {
  t.equal(jsonTime(1_795_240_205_313.213), '2026-11-21T05:50:05.313213Z')
  t.equal(jsonTime(1_795_240_205_000), '2026-11-21T05:50:05.000000Z')
})

t.test('a message of the start has all its fields, and a finished line is a message', async (t) => {
  const format = compileErrorLogFormat('json')
  if (typeof format === 'string' || format.formatter === undefined) return t.fail('json is a format')
  const record = {
    time: 0,
    module: 'core',
    level: LEVELS.alert,
    pid: 7,
    tid: 7,
    code: 'AH00558',
    message: 'no name',
    startup: true,
  }
  t.strictSame(JSON.parse(format.formatter(record)), {
    'ecs.version': '8.11.0',
    '@timestamp': '1970-01-01T00:00:00.000000Z',
    'log.level': 'alert',
    'log.logger': 'core',
    'event.code': 'AH00558',
    message: 'no name',
    'process.pid': 7,
  })
  t.match(JSON.parse(createJsonWrapper()('from "a program"')), { message: 'from "a program"' })
})
