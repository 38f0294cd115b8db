import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { failuresBesideStricter, STRICTER } from '../build/conformance-stricter.mjs'

const LISTED = { 'proxy/x': { 3: { line: 'HTTP/1.1 502 Bad Gateway', 'header content-length': null } } }
const AS_LISTED = {
  index: 3,
  differences: [
    ['line', 'HTTP/1.1 200 OK', 'HTTP/1.1 502 Bad Gateway'],
    ['header content-length', '3', undefined],
  ],
}

/** How many failures a run of the case with these failures has. */
function count(...failures) {
  return failuresBesideStricter({ cases: [{ case: 'proxy/x', failures }] }, LISTED).length
}

t.test('a difference that is listed with all its fields is no failure', async (t) => t.equal(count(AS_LISTED), 0))

t.test('another value, another field or another request is a failure', async (t) => {
  const [line, length] = AS_LISTED.differences
  t.equal(count({ index: 3, differences: [['line', 'HTTP/1.1 200 OK', 'HTTP/1.1 500 Internal Server Error'], length] }), 1)
  t.equal(count({ index: 3, differences: [line] }), 1, 'a field fewer')
  t.equal(count({ index: 3, differences: [line, length, ['body', 'a', 'b']] }), 1, 'a field more')
  t.equal(count(AS_LISTED, { ...AS_LISTED, index: 4 }), 1, 'a request that is not listed')
  t.equal(count(AS_LISTED, { index: -1, error: 'did not start' }), 1)
})

t.test('a listed answer that is the recorded one, and a case that was not run, are failures', async (t) => {
  t.equal(count(), 1)
  t.equal(failuresBesideStricter({ cases: [] }, LISTED).length, 1)
})

t.test('each listed request is one of the recorded case', async (t) => {
  for (const [name, probes] of Object.entries(STRICTER)) {
    const file = join(import.meta.dirname, 'conformance/cases', `${name}.golden.json`)
    const { answers } = JSON.parse(readFileSync(file, 'utf8'))
    for (const index of Object.keys(probes)) t.ok(Number(index) < answers.length, `${name} #${index}`)
  }
})
