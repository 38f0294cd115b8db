import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileInfo } from '@gatewright/api'
import t from 'tap'
import { fileEtag, lastModified, matchesEtag } from '../src/base/etag.ts'
import { ETAG_DIGEST, ETAG_INODE, ETAG_MTIME, ETAG_SIZE } from '../src/base/etag-bits.ts'

const NOW: number = Date.UTC(2026, 10, 21)

// 2020-01-02 03:04:05.123457 GMT
function file(changes: Partial<FileInfo> = {}): FileInfo {
  return {
    kind: 'file',
    size: 26,
    mtimeMs: 1577934245123.457,
    inode: 0x216b06,
    device: 1,
    mode: 0o100644,
    uid: 0,
    gid: 0,
    ...changes,
  }
}

t.test('an ETag has inode, size and time in that order, whichever of them are configured', async (t) => {
  const rows: readonly (readonly [number, string | null])[] = [
    [0, null],
    [ETAG_DIGEST, null],
    [ETAG_INODE, '"216b06"'],
    [ETAG_SIZE, '"1a"'],
    [ETAG_MTIME, '"59b1f7228d581"'],
    [ETAG_INODE | ETAG_SIZE, '"216b06-1a"'],
    [ETAG_INODE | ETAG_MTIME, '"216b06-59b1f7228d581"'],
    [ETAG_SIZE | ETAG_MTIME, '"1a-59b1f7228d581"'],
    [ETAG_INODE | ETAG_SIZE | ETAG_MTIME, '"216b06-1a-59b1f7228d581"'],
  ]
  for (const [bits, expected] of rows) t.equal(fileEtag(file(), bits, NOW), expected, `bits ${bits}`)
})

t.test('size and time of special files are shown as httpd shows them', async (t) => {
  const both = ETAG_SIZE | ETAG_MTIME
  t.equal(fileEtag(file({ size: 0, mtimeMs: 1577934245000 }), both, NOW), '"0-59b1f7226f340"')
  t.equal(fileEtag(file({ size: 3, mtimeMs: 0 }), both, NOW), '"3-0"')
  t.equal(fileEtag(file({ size: 4, mtimeMs: -5250 }), both, NOW), '"4-ffffffffffafe430"')
  t.equal(fileEtag(file({ size: 5, mtimeMs: 4102444800000 }), both, NOW), 'W/"5-e9326dd03c000"')
})

t.test('an ETag is weak until the file is more than a second old', async (t) => {
  for (const bits of [ETAG_INODE, ETAG_SIZE, ETAG_MTIME, ETAG_SIZE | ETAG_MTIME]) {
    const strong = fileEtag(file(), bits, NOW)
    for (const age of [-1e9, -1, 0, 1, 999, 1000]) {
      t.equal(fileEtag(file({ mtimeMs: 1577934245000 }), ETAG_SIZE, 1577934245000 + age), 'W/"1a"', `${age} ms`)
    }
    t.equal(fileEtag(file(), bits, 1577934245123.457 + 1001), strong)
    t.equal(fileEtag(file(), bits, 1577934245123.457 + 500), `W/${strong}`)
  }
})

t.test('every whole microsecond is preserved in milliseconds with fraction', async (t) => {
  let wrong = 0
  for (const second of [1, 1577934245, 1795240205, 2147483647, 2300000000, 4102444800]) {
    for (let microsecond = 1; microsecond < 1_000_000; microsecond += 977) {
      // The same computation that makes Stats.mtimeMs of seconds and nanoseconds.
      const mtimeMs = second * 1000 + (microsecond * 1000) / 1e6
      const expected = (BigInt(second) * 1_000_000n + BigInt(microsecond)).toString(16)
      if (fileEtag(file({ mtimeMs }), ETAG_MTIME, NOW * 10) !== `"${expected}"`) wrong++
    }
  }
  t.equal(wrong, 0)
})

t.test('the time in the ETag of a real file is its time in microseconds', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-etag-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'f')
  writeFileSync(path, 'x')
  // 64ths of a second are whole, odd numbers of microseconds, and exact as floating-point seconds.
  for (let part = 1; part < 64; part += 2) {
    const time = 1577934245 + part / 64
    utimesSync(path, time, time)
    const { mtimeMs } = statSync(path)
    const microseconds = statSync(path, { bigint: true }).mtimeNs / 1000n
    t.equal(microseconds, 1577934245000000n + BigInt(part * 15625))
    t.equal(fileEtag(file({ mtimeMs }), ETAG_MTIME, NOW), `"${microseconds.toString(16)}"`)
  }
})

t.test('Last-Modified is an HTTP date between 1970 and now', async (t) => {
  t.equal(lastModified(file(), NOW), 'Thu, 02 Jan 2020 03:04:05 GMT')
  t.equal(lastModified(file({ mtimeMs: NOW - 1 }), NOW), 'Fri, 20 Nov 2026 23:59:59 GMT')
  t.equal(lastModified(file({ mtimeMs: 4102444800000 }), NOW), 'Sat, 21 Nov 2026 00:00:00 GMT')
  t.equal(lastModified(file({ mtimeMs: 0 }), NOW), 'Thu, 01 Jan 1970 00:00:00 GMT')
  t.equal(lastModified(file({ mtimeMs: -5250 }), NOW), 'Thu, 01 Jan 1970 00:00:00 GMT')
})

// Each list was sent to httpd 2.4.71; E represents the tag of the file.
const LISTS: readonly (readonly [string, boolean, boolean])[] = [
  ['E', true, true],
  ['*', true, true],
  ['*, "x"', true, true],
  ['**', true, true],
  ['"x", *', false, false],
  ['"*"', false, false],
  ['', false, false],
  [',', false, false],
  ['W/E', true, false],
  ['w/E', false, false],
  ['W/ E', false, false],
  ['W/W/E', false, false],
  ['W/"x", E', true, false],
  ['W/"x",W/E', true, false],
  ['"x","y",E', true, true],
  ['"x" , E', true, true],
  ['"x"\t,\tE', true, true],
  [',, ,E', true, true],
  ['E,', true, true],
  ['E , "x"', true, true],
  ['E,junk', true, true],
  ['junk, E', false, false],
  ['E junk', false, false],
  ['Ejunk', false, false],
  ['Ejunk, E', true, true],
  ['"x"x, E', true, true],
  ['"x" E', false, false],
  ['E "x"', false, false],
  ['E;q=1', false, false],
  ['"x";E', false, false],
  ['"x, E', false, false],
  ['E, "x', true, true],
  ['"a,b", E', true, true],
  ['"a\\"b", E', true, true],
  ['"a\\",E', false, false],
  ['"x"\\,E', false, false],
  ['"x"(a), E', true, true],
  ['"x"(a,b), E', true, true],
  ['"x"(a, E', false, false],
  ['"x")a, E', true, true],
  ['E(c)', false, false],
  ['(c), E', false, false],
  ['"\u00e9", E', true, true],
]

t.test('lists of entity tags are read as httpd reads them', async (t) => {
  const etag = '"3e8-59b1f7226f340"'
  for (const [list, weak, strong] of LISTS) {
    const sent = list.replaceAll('E', etag)
    t.equal(matchesEtag(sent, etag, 'weak'), weak, `weak: ${list}`)
    t.equal(matchesEtag(sent, etag, 'strong'), strong, `strong: ${list}`)
  }
  t.equal(matchesEtag('3e8-59b1f7226f340', etag, 'weak'), false, 'a tag needs its quotes')
  t.equal(matchesEtag(etag.toUpperCase(), etag, 'weak'), false, 'case counts')
})

t.test('a weak tag is matched by weak comparison only, and nothing but * matches where there is no tag', async (t) => {
  t.equal(matchesEtag('W/"a"', 'W/"a"', 'weak'), true)
  t.equal(matchesEtag('"a"', 'W/"a"', 'weak'), true)
  t.equal(matchesEtag('W/"a"', 'W/"a"', 'strong'), false)
  t.equal(matchesEtag('"a"', 'W/"a"', 'strong'), false)
  t.equal(matchesEtag('*', 'W/"a"', 'strong'), true)
  t.equal(matchesEtag('*', null, 'strong'), true)
  t.equal(matchesEtag('"a"', null, 'weak'), false)
})
