import t from 'tap'
import { compileStrftime, createStrftimeClock, strftime } from '../src/text/index.ts'

const MOMENT = 1795240205313 // Sat Nov 21 2026 05:50:05 UTC

function rows(t: Tap, ms: number, expected: Readonly<Record<string, string>>): void {
  for (const [format, text] of Object.entries(expected)) t.equal(strftime(format, ms, 'utc'), text, format)
}

interface Tap {
  equal(found: string, wanted: string, name: string): unknown
}

// All expectations are the C library's output in the C locale.
t.test('every conversion prints what the C library prints', async (t) => {
  rows(t, MOMENT, {
    '%a %A %b %B %h': 'Sat Saturday Nov November Nov',
    '%c': 'Sat Nov 21 05:50:05 2026',
    '%C %d %D %e %F': '20 21 11/21/26 21 2026-11-21',
    '%g %G %V %U %W': '26 2026 47 46 46',
    '%H %I %j %k %l': '05 05 325  5  5',
    '%m %M %p %P': '11 50 AM am',
    '%r|%R|%T|%S': '05:50:05 AM|05:50|05:50:05|05',
    '%s': '1795240205',
    '%u %w %x %X': '6 6 11/21/26 05:50:05',
    '%y %Y %z %Z %%': '26 2026 +0000 GMT %',
    'a%nb%tc': 'a\nb\tc',
    '%A, %d-%b-%Y %H:%M:%S %Z': 'Saturday, 21-Nov-2026 05:50:05 GMT',
  })
})

t.test('weeks at the edges of a year belong to the right year', async (t) => {
  rows(t, Date.UTC(2005, 0, 1), { '%G-%V %g %U %W %j': '2004-53 04 00 00 001' })
  rows(t, Date.UTC(2008, 11, 29), { '%G-%V %U %W %j': '2009-01 52 52 364' })
  rows(t, Date.UTC(2000, 11, 31), { '%G-%V %j %u %w': '2000-52 366 7 0' })
})

t.test('the clock of twelve hours has neither zero nor thirteen', async (t) => {
  rows(t, Date.UTC(2026, 0, 1, 0, 5), { '%I:%M %p|%l': '12:05 AM|12' })
  rows(t, Date.UTC(2026, 0, 1, 12, 5), { '%I:%M %p|%l': '12:05 PM|12' })
  rows(t, Date.UTC(2026, 0, 1, 13, 5), { '%I:%M %p|%l': '01:05 PM| 1' })
})

t.test('flags and widths change padding and case', async (t) => {
  rows(t, Date.UTC(2026, 0, 5, 3, 4, 5), {
    '%-d|%_d|%0e|%e': '5| 5|05| 5',
    '%5d|%-5d|%_5d|%10Y': '00005|    5|    5|0000002026',
    '%^a|%#p|%^B|%P': 'MON|am|JANUARY|am',
    '%10a|%010a': '       Mon|0000000Mon',
    '%Ey %Od %OH': '26 05 03',
  })
})

t.test('what is no conversion is copied', async (t) => {
  rows(t, MOMENT, { bogus: 'bogus', '%Q %f %': '%Q %f %', '100%': '100%', '%Ed': '%Ed', '': '', '%é': '%é' })
})

t.test('local time follows the zone of the process and names it as the zone database does', async (t) => {
  const before = process.env.TZ
  t.teardown(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  const summer = Date.UTC(2026, 6, 1, 12)
  for (const [zone, winterText, summerText] of [
    ['UTC', '05 +0000 UTC', '12 +0000 UTC'],
    ['Europe/Berlin', '06 +0100 CET', '14 +0200 CEST'],
    ['America/New_York', '00 -0500 EST', '08 -0400 EDT'],
    ['Asia/Tokyo', '14 +0900 JST', '21 +0900 JST'],
    ['America/Sao_Paulo', '02 -0300 -03', '09 -0300 -03'],
    ['Asia/Jerusalem', '07 +0200 IST', '15 +0300 IDT'],
  ] as const) {
    process.env.TZ = zone
    t.equal(strftime('%H %z %Z', new Date(MOMENT)), winterText, zone)
    t.equal(strftime('%H %z %Z', summer), summerText, zone)
  }
})

t.test('compiled formats and clocks give the same texts', async (t) => {
  const compiled = compileStrftime('%d.%m.%Y %T %z')
  const clock = createStrftimeClock('%d.%m.%Y %T %z')
  for (const ms of [MOMENT, MOMENT + 500, MOMENT + 800, MOMENT - 5000, MOMENT]) {
    t.equal(compiled(ms), strftime('%d.%m.%Y %T %z', ms))
    t.equal(clock(ms), compiled(ms))
  }
})
