import t from 'tap'
import { meetsConditions, type Precondition } from '../src/response/conditions.ts'

const ETAG = '"3e8-59b1f7226f340"'
const TIME: number = Date.UTC(2020, 0, 2, 3, 4, 5)
const SAME = 'Thu, 02 Jan 2020 03:04:05 GMT'
const OLDER = 'Wed, 01 Jan 2020 00:00:00 GMT'
const NOW: number = Date.UTC(2026, 10, 21, 12)

type Headers = Readonly<Record<string, string>>

function answer(
  headers: Headers,
  method = 'GET',
  etag: string | null = ETAG,
  mtimeMs: number | null = TIME,
  nowMs: number = NOW,
): Precondition {
  const fields = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return meetsConditions(fields, method === 'GET' || method === 'HEAD' ? 'read' : 'other', etag, mtimeMs, nowMs)
}

const STATUS: Readonly<Record<Precondition, number>> = { ok: 200, 'not-modified': 304, 'precondition-failed': 412 }

// Recorded from httpd 2.4.71 for a file of 1000 bytes that was modified at SAME.
const RECORDED: readonly (readonly [number, Headers, string?])[] = [
  [200, {}],
  [304, { 'If-None-Match': ETAG }],
  [200, { 'If-Match': ETAG }],
  [304, { 'If-None-Match': `W/${ETAG}` }],
  [200, { 'If-None-Match': '"x"' }],
  [412, { 'If-Match': '"x"' }],
  [304, { 'If-None-Match': `"x", ${ETAG}` }],
  [200, { 'If-Match': `"x", ${ETAG}` }],
  [304, { 'If-None-Match': `${ETAG}, "x"` }],
  [200, { 'If-Match': `${ETAG}, "x"` }],
  [412, { 'If-Match': `W/${ETAG}` }],
  [200, { 'If-Match': '*' }],
  [200, { 'If-None-Match': '' }],
  [412, { 'If-Match': '' }],
  [200, { 'If-None-Match': 'junk' }],
  [412, { 'If-Match': 'junk' }],
  [200, { 'If-None-Match': '3e8-59b1f7226f340' }],
  [200, { 'If-None-Match': `${ETAG}x` }],
  [412, { 'If-Match': `${ETAG}x` }],
  [200, { 'If-None-Match': 'W/"x"' }],
  [412, { 'If-Match': 'W/"x"' }],
  [200, { 'If-None-Match': '"x","y"' }],
  [412, { 'If-Match': '"x","y"' }],
  [200, { 'If-Unmodified-Since': SAME }],
  [200, { 'If-Modified-Since': OLDER }],
  [412, { 'If-Unmodified-Since': OLDER }],
  [304, { 'If-Modified-Since': 'Fri, 03 Jan 2020 00:00:00 GMT' }],
  [200, { 'If-Unmodified-Since': 'Fri, 03 Jan 2020 00:00:00 GMT' }],
  [304, { 'If-Modified-Since': SAME }],
  [304, { 'If-Modified-Since': 'Thursday, 02-Jan-20 03:04:05 GMT' }],
  [304, { 'If-Modified-Since': 'Thu Jan  2 03:04:05 2020' }],
  [200, { 'If-Unmodified-Since': 'Thu Jan  2 03:04:05 2020' }],
  [200, { 'If-Modified-Since': 'junk' }],
  [200, { 'If-Unmodified-Since': 'junk' }],
  [200, { 'If-Modified-Since': '' }],
  [200, { 'If-Unmodified-Since': '' }],
  [200, { 'If-Unmodified-Since': 'Thu, 02 Jan 2020 03:04:06 GMT' }],
  [200, { 'If-Modified-Since': 'Thu, 02 Jan 2020 03:04:04 GMT' }],
  [412, { 'If-Unmodified-Since': 'Thu, 02 Jan 2020 03:04:04 GMT' }],
  [200, { 'If-Modified-Since': 'Wed, 02 Jan 2086 03:04:05 GMT' }],
  [200, { 'If-Unmodified-Since': 'Wed, 02 Jan 2086 03:04:05 GMT' }],
  [304, { 'If-Modified-Since': `${SAME}; length=1000` }],
  [304, { 'If-Modified-Since': 'Thu, 02 Jan 2020 03:04:05 +0000' }],
  [200, { 'If-Unmodified-Since': 'Thu, 02 Jan 2020 03:04:05 +0000' }],
  [200, { 'If-Modified-Since': '02 Jan 2020 03:04:05 GMT' }],
  [200, { 'If-Unmodified-Since': '02 Jan 2020 03:04:05 GMT' }],
  [200, { 'If-Modified-Since': '1577934245' }],
  [200, { 'If-Unmodified-Since': '1577934245' }],
  [200, { 'If-None-Match': '"x"', 'If-Modified-Since': SAME }],
  [304, { 'If-None-Match': ETAG, 'If-Modified-Since': SAME }],
  [200, { 'If-None-Match': ETAG, 'If-Modified-Since': OLDER }],
  [200, { 'If-None-Match': ETAG, 'If-Modified-Since': 'junk' }],
  [200, { 'If-None-Match': '', 'If-Modified-Since': SAME }],
  [304, { 'If-Match': ETAG, 'If-None-Match': ETAG }],
  [412, { 'If-Match': ETAG, 'If-Unmodified-Since': OLDER }],
  [412, { 'If-Match': '"x"', 'If-Modified-Since': SAME }],
  [412, { 'If-Unmodified-Since': OLDER, 'If-Modified-Since': SAME }],
  [412, { 'If-None-Match': ETAG }, 'POST'],
  [200, { 'If-None-Match': `W/${ETAG}` }, 'POST'],
  [412, { 'If-None-Match': '*' }, 'POST'],
  [412, { 'If-None-Match': ETAG, 'If-Modified-Since': OLDER }, 'POST'],
  [200, { 'If-Modified-Since': SAME }, 'POST'],
  [412, { 'If-Unmodified-Since': OLDER }, 'POST'],
  [304, { 'If-Modified-Since': SAME }, 'HEAD'],
  [412, { 'If-Match': '"x"' }, 'HEAD'],
]

t.test('the conditions of a request are judged as recorded', async (t) => {
  for (const [status, headers, method] of RECORDED)
    t.equal(STATUS[answer(headers, method)], status, `${method ?? 'GET'} ${JSON.stringify(headers)}`)
})

t.test('a resource without ETag is matched by * only', async (t) => {
  t.equal(answer({ 'If-None-Match': '*' }, 'GET', null), 'not-modified')
  t.equal(answer({ 'If-None-Match': '*' }, 'POST', null), 'precondition-failed')
  t.equal(answer({ 'If-Match': '*' }, 'GET', null), 'ok')
  t.equal(answer({ 'If-Match': ETAG }, 'GET', null), 'precondition-failed')
  t.equal(answer({ 'If-None-Match': ETAG, 'If-Modified-Since': SAME }, 'GET', null), 'ok')
})

t.test('a weak ETag makes 304 but meets no strong condition', async (t) => {
  const weak = `W/${ETAG}`
  t.equal(answer({ 'If-None-Match': weak }, 'GET', weak), 'not-modified')
  t.equal(answer({ 'If-None-Match': ETAG }, 'GET', weak), 'not-modified')
  t.equal(answer({ 'If-Match': weak }, 'GET', weak), 'precondition-failed')
  t.equal(answer({ 'If-None-Match': weak }, 'POST', weak), 'ok')
  t.equal(answer({ 'If-None-Match': weak, Range: 'bytes=0-9' }, 'GET', weak), 'ok')
})

t.test('a request for a range is answered 304 by strong validators only', async (t) => {
  const range = { Range: 'bytes=0-9' }
  t.equal(answer({ 'If-None-Match': ETAG, ...range }), 'not-modified')
  t.equal(answer({ 'If-None-Match': `W/${ETAG}`, ...range }), 'ok')
  t.equal(answer({ 'If-Modified-Since': SAME, ...range }), 'not-modified')
  t.equal(answer({ 'If-Modified-Since': SAME, ...range }, 'GET', ETAG, TIME, TIME + 59_999), 'ok')
  t.equal(answer({ 'If-Modified-Since': SAME, ...range }, 'GET', ETAG, TIME, TIME + 60_000), 'not-modified')
  t.equal(answer({ 'If-Modified-Since': SAME }, 'GET', ETAG, TIME, TIME + 59_999), 'not-modified')
  t.equal(answer({ 'If-Match': '"no"', ...range }), 'precondition-failed')
  t.equal(answer({ 'If-Unmodified-Since': OLDER, ...range }, 'GET', ETAG, TIME, TIME + 100), 'precondition-failed')
})

t.test('If-Unmodified-Since and an If-Range in use keep 304 away', async (t) => {
  for (const date of [SAME, 'Wed, 02 Jan 2086 03:04:05 GMT', 'junk']) {
    t.equal(answer({ 'If-Unmodified-Since': date, 'If-None-Match': ETAG }), 'ok', date)
    t.equal(answer({ 'If-Unmodified-Since': date, 'If-Modified-Since': SAME }), 'ok', date)
  }
  t.equal(answer({ 'If-Unmodified-Since': SAME, 'If-None-Match': ETAG }, 'POST'), 'precondition-failed')
  for (const validator of [ETAG, '"other"', SAME, 'junk']) {
    t.equal(answer({ 'If-None-Match': ETAG, 'If-Range': validator, Range: 'bytes=0-9' }), 'ok', validator)
    t.equal(answer({ 'If-None-Match': ETAG, 'If-Range': validator }), 'not-modified', validator)
  }
})

t.test('modification times count in whole seconds', async (t) => {
  t.equal(answer({ 'If-Modified-Since': SAME }, 'GET', ETAG, TIME + 999.9), 'not-modified')
  t.equal(answer({ 'If-Unmodified-Since': SAME }, 'GET', ETAG, TIME + 999.9), 'ok')
  t.equal(answer({ 'If-Modified-Since': SAME }, 'GET', ETAG, TIME + 1000), 'ok')
  t.equal(answer({ 'If-Unmodified-Since': SAME }, 'GET', ETAG, TIME + 1000), 'precondition-failed')
})

t.test('an unknown, unusable or future time counts as now', async (t) => {
  const present = new Date(NOW).toUTCString()
  const earlier = new Date(NOW - 1000).toUTCString()
  for (const mtimeMs of [null, 0, -5250, NOW + 1e9]) {
    t.equal(answer({ 'If-Modified-Since': earlier }, 'GET', ETAG, mtimeMs), 'ok', `${mtimeMs}`)
    t.equal(answer({ 'If-Modified-Since': present }, 'GET', ETAG, mtimeMs, NOW + 300), 'not-modified', `${mtimeMs}`)
    t.equal(answer({ 'If-Unmodified-Since': earlier }, 'GET', ETAG, mtimeMs), 'precondition-failed', `${mtimeMs}`)
    t.equal(answer({ 'If-Unmodified-Since': present }, 'GET', ETAG, mtimeMs), 'ok', `${mtimeMs}`)
  }
})
