import t from 'tap'
import { ifRangeHolds, type RangeLimits, selectRanges } from '../src/response/ranges.ts'

const DEFAULTS: RangeLimits = { maxRanges: 200, maxOverlaps: 20, maxReversals: 20 }

/** `200`, `416`, or the chosen ranges as `0-9 20-29`. */
function choice(header: string | undefined, size = 1000, limits: Partial<RangeLimits> = {}): string {
  const selected = selectRanges(header, size, { ...DEFAULTS, ...limits })
  if (selected.kind === 'ranges') return selected.ranges.map(({ start, end }) => `${start}-${end}`).join(' ')
  return selected.kind === 'whole' ? '200' : '416'
}

function series(count: number, item: (index: number) => string): string {
  return `bytes=${Array.from({ length: count }, (_, index) => item(index)).join(',')}`
}

// Recorded from httpd 2.4.71 for a file of 1000 bytes.
const RECORDED: readonly (readonly [string, string])[] = [
  ['bytes=0-9', '0-9'],
  ['bytes=0-0', '0-0'],
  ['bytes=10-', '10-999'],
  ['bytes=-0', '200'],
  ['bytes=990-2000', '990-999'],
  ['bytes=1000-', '416'],
  ['bytes=999-', '999-999'],
  ['bytes=1000-1001', '416'],
  ['bytes=0-999', '0-999'],
  ['bytes=-1000', '0-999'],
  ['bytes=-2000', '0-999'],
  ['bytes=0-', '0-999'],
  ['bytes=5-4', '200'],
  ['bytes=a-b', '200'],
  ['bytes=', '200'],
  ['bytes', '200'],
  ['', '200'],
  ['bytes=0-9,20-29', '0-9 20-29'],
  ['bytes=0-9, 20-29', '200'],
  ['bytes=0-9,5-15', '0-15'],
  ['bytes=20-29,0-9', '20-29 0-9'],
  ['bytes=0-9,0-9,0-9', '0-9'],
  ['bytes=2000-,3000-', '416'],
  ['bytes=0-1,2000-', '0-1'],
  ['bytes=0-9,', '0-9'],
  ['bytes=0-9,,20-29', '0-9 20-29'],
  ['bytes=,0-9', '200'],
  ['bytes=,', '200'],
  ['bytes=0-9,x-y', '200'],
  ['bytes=2000-,x-y', '200'],
  ['bytes=0-9,-10,500-509', '0-9 990-999 500-509'],
  ['bytes = 0-9', '200'],
  ['BYTES=0-9', '0-9'],
  ['lines=0-9', '200'],
  ['bytes=0 - 9', '200'],
  ['bytes=00-09', '0-9'],
  ['bytes=+0-9', '200'],
  ['bytes=0-9-10', '200'],
  ['bytes=--5', '200'],
  ['bytes=-', '200'],
  ['bytes=7', '200'],
  ['bytes=99999999999999999999-', '200'],
  ['bytes=0-99999999999999999999', '200'],
  ['bytes=9223372036854775807-', '416'],
  ['bytes=9223372036854775808-', '200'],
  ['bytes=5-9223372036854775807', '5-999'],
  ['bytes=5-9223372036854775808', '200'],
  ['bytes=-9223372036854775807', '0-999'],
  ['bytes=00000000000000000000000001-2', '1-2'],
  ['bytes=0-4,5-9', '0-9'],
  ['bytes=5-9,0-4', '0-9'],
  ['bytes=0-499,500-999', '0-999'],
  ['bytes=1-1,3-3,5-5,7-7', '1-1 3-3 5-5 7-7'],
  ['bytes=0-1, bytes=5-6', '200'],
]

t.test('a Range header selects what was recorded', async (t) => {
  t.equal(choice(undefined), '200')
  for (const [header, expected] of RECORDED) t.equal(choice(header), expected, header)
})

t.test('small and empty bodies have ranges as recorded', async (t) => {
  t.equal(choice('bytes=0-', 0), '200')
  t.equal(choice('bytes=-1', 0), '200')
  t.equal(choice('bytes=0-0', 1), '0-0')
  t.equal(choice('bytes=0-0,0-0', 1), '0-0')
  t.equal(choice('bytes=299990-', 300000), '299990-299999')
  t.equal(choice('bytes=100-200000', 300000), '100-200000')
})

t.test('only neighbours in the header are merged, in either direction', async (t) => {
  t.equal(choice('bytes=0-9,10-19,20-29,40-49'), '0-29 40-49')
  t.equal(choice('bytes=0-9,11-19'), '0-9 11-19')
  t.equal(choice('bytes=20-29,10-25,0-9'), '0-29')
  t.equal(choice('bytes=10-19,0-29'), '0-29')
  t.equal(choice('bytes=0-9,20-29,5-15'), '0-9 20-29 5-15')
})

t.test('a 0- replaces everything before it, and nothing after it is read', async (t) => {
  t.equal(choice('bytes=5-6,10-11,0-'), '0-999')
  t.equal(choice('bytes=5-6,0-,x-y'), '0-999')
  t.equal(choice('bytes=x-y,0-'), '200')
})

t.test('ranges with more bytes than the body has make no sense', async (t) => {
  t.equal(choice('bytes=0-499,600-999,0-99'), '0-499 600-999 0-99')
  t.equal(choice('bytes=0-499,600-999,0-100'), '200')
})

t.test('a limit that is passed makes the header void', async (t) => {
  t.equal(choice(series(200, (index) => `${2 * index}-${2 * index}`)).split(' ').length, 200)
  t.equal(choice(series(201, (index) => `${2 * index}-${2 * index}`)), '200')
  t.equal(
    choice(series(25, (index) => `${991 - 10 * index}-${995 - 10 * index}`)).split(' ').length,
    25,
    'apart, order does not matter',
  )
  t.equal(choice(series(21, () => '0-9')), '0-9')
  t.equal(choice(series(22, () => '0-9')), '200')
  t.equal(choice(series(21, (index) => `${100 - index}-200`)), '80-200')
  t.equal(
    choice(
      series(22, (index) => `${100 - index}-200`),
      1000,
      { maxOverlaps: 100 },
    ),
    '200',
  )
})

t.test('limits count what is left after merging, as recorded', async (t) => {
  const two: Partial<RangeLimits> = { maxRanges: 2 }
  t.equal(choice('bytes=0-1', 1000, two), '0-1')
  t.equal(choice('bytes=0-1,4-5', 1000, two), '0-1 4-5')
  t.equal(choice('bytes=0-1,4-5,8-9', 1000, two), '200')
  t.equal(choice('bytes=8-9,4-5,0-1', 1000, two), '200')
  t.equal(choice('bytes=0-1,2-3,8-9', 1000, two), '0-3 8-9')

  const none: Partial<RangeLimits> = { maxRanges: 0 }
  for (const header of ['bytes=0-1', 'bytes=0-1,4-5', 'bytes=0-5,3-8', 'bytes=8-9,4-5,0-1'])
    t.equal(choice(header, 1000, none), '200', header)

  const apart: Partial<RangeLimits> = { maxOverlaps: 0 }
  t.equal(choice('bytes=0-1,4-5,8-9', 1000, apart), '0-1 4-5 8-9')
  t.equal(choice('bytes=8-9,4-5,0-1', 1000, apart), '8-9 4-5 0-1')
  t.equal(choice('bytes=0-5,3-8', 1000, apart), '200')

  const forward: Partial<RangeLimits> = { maxRanges: Number.POSITIVE_INFINITY, maxReversals: 0 }
  t.equal(choice('bytes=0-5,3-8', 1000, forward), '0-8')
  t.equal(choice('bytes=8-9,4-5,0-1', 1000, forward), '8-9 4-5 0-1')
  t.equal(choice('bytes=3-8,0-5', 1000, forward), '200')
  t.equal(
    choice(
      series(400, (index) => `${2 * index}-${2 * index}`),
      1000,
      forward,
    ).split(' ').length,
    400,
  )
})

t.test('If-Range holds for the same strong tag or the same date alone', async (t) => {
  const etag = '"3e8-59b1f7226f340"'
  const date = 'Thu, 02 Jan 2020 03:04:05 GMT'
  const now = Date.UTC(2026, 10, 21)
  const rows: readonly (readonly [string | undefined, boolean])[] = [
    [undefined, true],
    [etag, true],
    [`W/${etag}`, false],
    [`${etag}, "x"`, false],
    ['"other"', false],
    ['3e8-59b1f7226f340', false],
    ['*', false],
    ['', false],
    ['junk', false],
    [date, true],
    ['Thursday, 02-Jan-20 03:04:05 GMT', true],
    ['Thu Jan  2 03:04:05 2020', true],
    [`"${date}`, false],
    ['Wed, 01 Jan 2020 00:00:00 GMT', false],
    ['Fri, 03 Jan 2020 00:00:00 GMT', false],
  ]
  for (const [value, expected] of rows) t.equal(ifRangeHolds(value, etag, date, now), expected, `${value}`)
})

t.test('If-Range does not hold for weak or missing validators', async (t) => {
  const date = 'Thu, 02 Jan 2020 03:04:05 GMT'
  const modified = Date.UTC(2020, 0, 2, 3, 4, 5)
  t.equal(ifRangeHolds('"a"', 'W/"a"', date, modified + 1e9), false)
  t.equal(ifRangeHolds('W/"a"', 'W/"a"', date, modified + 1e9), false)
  t.equal(ifRangeHolds('"a"', null, date, modified + 1e9), false)
  t.equal(ifRangeHolds(date, '"a"', null, modified + 1e9), false)
  t.equal(ifRangeHolds('junk', '"a"', 'junk', modified + 1e9), false)
  t.equal(ifRangeHolds(date, '"a"', date, modified + 59_999), false, 'a date is weak for a minute')
  t.equal(ifRangeHolds(date, '"a"', date, modified + 60_000), true)
})
