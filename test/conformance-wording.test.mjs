import t from 'tap'
import { failuresBesideWording } from '../build/conformance-wording.mjs'

const page = (status, words) => ({
  line: `HTTP/1.1 ${status}`,
  headers: { 'content-length': String(words.length), connection: 'close' },
  body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>\n<h1>x</h1><p>${words}</p>\n</body></html>`,
})

/** The rest of a report of one failed probe. */
function judged(...differences) {
  const report = { cases: [{ case: 'c', failures: [{ index: 0, probe: 'p', differences }] }] }
  return failuresBesideWording(report).length
}

t.test('words of a built-in page within pipelined answers are passed over', async (t) => {
  const responses = [
    'responses',
    [{ line: 'HTTP/1.1 200 OK', body: 'a' }, page('404 Not Found', 'theirs')],
    [{ line: 'HTTP/1.1 200 OK', body: 'a' }, page('404 Not Found', 'our words')],
  ]
  t.equal(judged(responses, ['access', ['"GET / HTTP/1.1" 404 236'], ['"GET / HTTP/1.1" 404 268']]), 0)
})

t.test('another status, body or field within pipelined answers is a failure', async (t) => {
  t.equal(judged(['responses', [page('404 Not Found', 'x')], [page('403 Forbidden', 'x')]]), 1)
  t.equal(judged(['responses', [{ line: 'HTTP/1.1 200 OK', body: 'a' }], [{ line: 'HTTP/1.1 200 OK', body: 'b' }]]), 1)
  const open = { ...page('404 Not Found', 'x'), headers: { connection: 'Keep-Alive' } }
  t.equal(judged(['responses', [page('404 Not Found', 'x')], [open]]), 1)
  t.equal(judged(['responses', [page('404 Not Found', 'x')], []]), 1, 'one answer too few')
})

t.test('the length of a built-in page may differ, and that of a file may not', async (t) => {
  t.equal(judged(['access', ['"GET /d HTTP/1.1" 301 259'], ['"GET /d HTTP/1.1" 301 303']]), 0)
  t.equal(judged(['access', ['"GET /d HTTP/1.1" 200 259'], ['"GET /d HTTP/1.1" 200 303']]), 1, 'the length of a file')
})

t.test('a pipelined request may lack the byte that httpd counts twice, and nothing else of a count may differ', async (t) => {
  const counts = (received, sent = 'WIRE') => `bytes: body=WIRE body=WIRE out=${sent} in=${received} both=WIRE`
  t.equal(judged(['access', [counts(32), counts(59)], [counts(31), counts(59)]]), 0)
  t.equal(judged(['access', [counts(32), counts(59)], [counts(30), counts(59)]]), 1)
  t.equal(judged(['access', [counts(59)], [counts(58)]]), 1, 'a single request')
  t.equal(judged(['access', [counts(32), counts(59)], [counts(31, '240'), counts(59)]]), 1, 'not what came over the wire')
})

t.test('what cannot be compared is a failure', async (t) => {
  t.equal(judged(['failure', undefined, 'no answer']), 1)
  t.equal(failuresBesideWording({ cases: [{ case: 'c', failures: [{ index: -1, error: 'did not start' }] }] }).length, 1)
})
