import t from 'tap'
import { createHttpDateClock, httpDate, parseHttpDate } from '../src/text/index.ts'

const NOV_6: number = Date.UTC(1994, 10, 6, 8, 49, 37)

t.test('an HTTP date is written as IMF-fixdate', async (t) => {
  t.equal(httpDate(NOV_6), 'Sun, 06 Nov 1994 08:49:37 GMT')
  t.equal(httpDate(1795240205999), 'Sat, 21 Nov 2026 05:50:05 GMT')
  t.equal(parseHttpDate(httpDate(1795240205000)), 1795240205000)
})

t.test('a clock gives the same texts as the plain function', async (t) => {
  const clock = createHttpDateClock()
  for (const ms of [NOV_6, NOV_6 + 999, NOV_6 + 1000, NOV_6, 0]) t.equal(clock(ms), httpDate(ms))
})

// Each row was sent to httpd 2.4.71 in If-Modified-Since and If-Unmodified-Since.
t.test('the forms that httpd reads are read', async (t) => {
  const readable: readonly (readonly [string, number])[] = [
    ['Sun, 06 Nov 1994 08:49:37 GMT', NOV_6],
    ['Sun, 06 Nov 1994 08:49:37 x', NOV_6],
    ['Sun, 06 Nov 1994 08:49:37 +0200', NOV_6],
    ['xx 06 Nov 1994 08:49:37 GMT', NOV_6],
    ['  Sun, 06 Nov 1994 08:49:37 GMT', NOV_6],
    ['Sun, 6 Nov 1994 08:49:37 GMT', NOV_6],
    ['Sunday, 06-Nov-94 08:49:37 GMT', NOV_6],
    ['Sunday, 06-Nov-70 08:49:37 GMT', Date.UTC(1970, 10, 6, 8, 49, 37)],
    ['Sunday, 06-Nov-69 08:49:37 GMT', Date.UTC(2069, 10, 6, 8, 49, 37)],
    ['Sun Nov  6 08:49:37 1994', NOV_6],
    ['Sun Nov 06 08:49:37 1994', NOV_6],
    ['Sun Nov  6 08:49:37 1994 GMT', NOV_6],
    ['Sat, 29 Feb 1992 08:49:37 GMT', Date.UTC(1992, 1, 29, 8, 49, 37)],
    ['Sat, 06 Nov 1993 23:59:60 GMT', Date.UTC(1993, 10, 7)],
    ['Sat, 06 Nov 1993 23:59:61 GMT', Date.UTC(1993, 10, 7, 0, 0, 1)],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 1000],
  ]
  for (const [text, ms] of readable) t.equal(parseHttpDate(text), ms, text)
})

t.test('what httpd does not take for a date is none', async (t) => {
  const unreadable = [
    '',
    'GMT',
    'Sun, 06 Nov 1994 08:49:37',
    '06 Nov 1994 08:49:37 GMT',
    'Sun,  6 Nov 1994 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun, 06 nov 1994 08:49:37 GMT',
    'Sun, 06 NOV 1994 08:49:37 GMT',
    'Sun, 06 Xxx 1993 08:49:37 GMT',
    'Sun, 06-Nov-1993 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Sun, 30 Feb 1993 08:49:37 GMT',
    'Sun, 29 Feb 1993 08:49:37 GMT',
    'Sun, 29 Feb 1900 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1993 23:60:00 GMT',
    'Sun, 06 Nov 1993 23:59:62 GMT',
    'Sun, 06 Nov 1993 8:49:37 GMT',
    'Sun, 06 Nov 1960 23:50:00 GMT',
    'Sun, 06 Nov 0094 08:49:37 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ]
  for (const text of unreadable) t.equal(parseHttpDate(text), undefined, text)
})
