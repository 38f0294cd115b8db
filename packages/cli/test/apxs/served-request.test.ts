import t from 'tap'
import { servedRequest, wordsToExplain } from '../../src/apxs/dev/served-request.ts'

const LINE = {
  '@timestamp': '2026-11-28T12:00:00.000000Z',
  client: { address: '127.0.0.1', port: 40_000 },
  http: { request: { method: 'GET' }, response: { status_code: 403 } },
  url: { path: '/hello', query: 'a=b' },
  event: { duration: 1_500_000 },
}

t.test('a line of the access log is read, with names of members nested or joined by dots', async (t) => {
  const wanted = { method: 'GET', target: '/hello?a=b', status: 403, client: '127.0.0.1', user: null, milliseconds: 1.5 }
  t.strictSame(servedRequest(JSON.stringify(LINE)), wanted)
  const flat = {
    'client.address': '127.0.0.1',
    'http.request.method': 'GET',
    'http.response.status_code': 403,
    'url.path': '/hello',
    'url.query': 'a=b',
    'event.duration': 1_500_000,
  }
  t.strictSame(servedRequest(JSON.stringify(flat)), wanted)
})

t.test('a line that a module prints is no request', async (t) => {
  for (const line of ['hello', '{', '3', 'null', '{}', '{"http":3}']) t.equal(servedRequest(line), null, line)
})

t.test('refusals are explained for the client and the user, other answers are not', async (t) => {
  const request = { method: 'PUT', target: '/x', status: 403, client: '::1', user: 'ann', milliseconds: 1 }
  t.strictSame(wordsToExplain(request), ['--method', 'PUT', '--from', '::1', '--user', 'ann', '/x'])
  t.strictSame(wordsToExplain({ ...request, status: 401 }), ['--method', 'PUT', '--from', '::1', '/x'])
  for (const status of [200, 304, 404, 500]) t.equal(wordsToExplain({ ...request, status }), null)
  t.equal(wordsToExplain({ ...request, target: '*' }), null)
})
