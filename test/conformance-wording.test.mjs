import t from 'tap'
import { failuresBesideWording } from '../build/conformance-wording.mjs'

const page = (status, words) => ({
  line: `HTTP/1.1 ${status}`,
  headers: { 'content-length': String(words.length), connection: 'close' },
  body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>\n<h1>x</h1><p>${words}</p>\n</body></html>`,
})

/** What is left of a report of one failed probe. */
function judged(...differences) {
  const report = { cases: [{ case: 'c', failures: [{ index: 0, probe: 'p', differences }] }] }
  return failuresBesideWording(report, 1).length
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

t.test('counts of bytes may differ by the length of the product name and of a page, and by nothing else', async (t) => {
  t.equal(judged(['access', ['bytes: 6 6 251 59 310'], ['bytes: 6 6 252 59 311']]), 0)
  t.equal(judged(['access', ['bytes: 6 6 251 59 310'], ['bytes: 6 6 253 59 312']]), 1, 'two more sent')
  t.equal(judged(['access', ['bytes: 6 6 251 59 310'], ['bytes: 6 6 252 58 310']]), 1, 'one less received')
  t.equal(judged(['access', ['bytes: 6 6 251 59 310'], ['bytes: 7 7 253 59 312']]), 1, 'a longer body without a page')
  const redirect = [
    'access',
    ['bytes: 259 259 470 48 518', '"GET /d HTTP/1.1" 301 259'],
    ['bytes: 303 303 515 48 563', '"GET /d HTTP/1.1" 301 303'],
  ]
  t.equal(judged(redirect), 0)
  t.equal(judged(['access', ['"GET /d HTTP/1.1" 200 259'], ['"GET /d HTTP/1.1" 200 303']]), 1, 'the length of a file')
})

t.test('a pipelined request may lack the byte that httpd counts twice', async (t) => {
  const last = 'bytes: 6 6 252 59 311'
  t.equal(judged(['access', ['bytes: 6 6 239 32 271', last], ['bytes: 6 6 240 31 271', 'bytes: 6 6 253 59 312']]), 0)
  t.equal(judged(['access', ['bytes: 6 6 239 32 271', last], ['bytes: 6 6 240 30 270', 'bytes: 6 6 253 59 312']]), 1)
  t.equal(
    judged(['access', ['bytes: 6 6 239 32 271', last], ['bytes: 6 6 240 31 270', 'bytes: 6 6 253 59 312']]),
    1,
    'a wrong sum',
  )
})

t.test('what cannot be compared is a failure', async (t) => {
  t.equal(judged(['failure', undefined, 'no answer']), 1)
  t.equal(failuresBesideWording({ cases: [{ case: 'c', failures: [{ index: -1, error: 'did not start' }] }] }, 1).length, 1)
})
