import { gzipSync } from 'node:zlib'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import mimeMagic from '../src/index.ts'
import { matchMagic } from '../src/match-magic.ts'
import { matchText } from '../src/match-text.ts'
import { parseMagic } from '../src/parse-magic.ts'

/** The result for a file that begins with a text, and is long enough for all tests. */
function resultOf(magic: string, start: string): string | null {
  const { entries, mistakes } = parseMagic(magic)
  if (mistakes.length > 0) throw new Error(mistakes[0].message)
  return matchMagic(entries, Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(100)]))
}

t.test('strings and numbers of each size and order are compared', (t) => {
  const cases: readonly (readonly [test: string, start: string, isTrue: boolean])[] = [
    ['0 string GIF8', 'GIF89a', true],
    ['0 string \\107\\x49F\\ x', 'GIF x', true],
    ['0 string >AB', 'AC', true],
    ['0 string !AB', '!AB', true],
    ['0 string A\\nB', 'A\nB', false],
    ['0 byte 0xff', '\xff', true],
    ['0 byte -1', '\xff', true],
    ['0 ubyte >0x7f', '\xff', true],
    ['0 byte >0x7f', '\xff', false],
    ['0 byte&0x0f 1', '\xf1', true],
    ['0 beshort 0x4142', 'AB', true],
    ['0 leshort 0x4241', 'AB', true],
    ['0 belong >15', '\0\0\0\x10', true],
    ['0 belong <0', '\xff\0\0\0', true],
    ['0 belong&0xf0f0f0f0 >0', '\xff\0\0\0', true],
    ['0 lelong 0x44434241', 'ABCD', true],
    ['0 byte &0x41', 'C', true],
    ['0 byte ^0x41', 'B', true],
    ['0 byte !65', 'B', true],
    ['0 short x', 'any', true],
    ['0x2 string C', 'ABC', true],
    ['30 byte 0', 'x', true],
    ['200 byte 0', 'x', false],
  ]
  for (const [test, start, isTrue] of cases) t.equal(resultOf(`${test}\ta/b`, start), isTrue ? 'a/b' : null, test)
  t.end()
})

t.test('continuations add to the result of the test before them', (t) => {
  const magic =
    '0 string NEST\n>4 string A application/x-a\n>>5 string Z enc\n>4 string B application/x-b\n>(6.b) string C \\b+\n0 string N other/x\n'
  t.equal(resultOf(magic, 'NESTAZ'), 'application/x-a enc')
  t.equal(resultOf(magic, 'NESTB'), 'application/x-b')
  t.equal(resultOf(magic, 'NESTBx\x07C'), 'application/x-b+')
  t.equal(resultOf(magic, 'NEST?'), '')
  t.equal(resultOf(magic, 'NOT'), 'other/x')
  t.end()
})

t.test('lines that cannot be understood are reported, and cost nothing else', (t) => {
  const { entries, mistakes } = parseMagic('# comment\n\nx string A a/b\n0 nosuch A a/b\n0 string A a/b\n>(4.l string A a/b\n')
  t.equal(entries.length, 1)
  t.same(
    mistakes.map(({ code, line }) => [code, line]),
    [
      ['AH01521', 3],
      ['AH01524', 4],
      ['AH01523', 6],
    ],
  )
  t.end()
})

t.test('texts are recognized by their words', (t) => {
  const types: readonly (readonly [string, string | null])[] = [
    ['<html> x', 'text/html'],
    ['hello <!-- x', 'text/html'],
    ['int #include', 'text/plain'],
    ['Received: x', 'message/rfc822'],
    ['Newsgroups: \x1b', 'message/news (with escape sequences)'],
    ['.TH NAME', 'application/x-troff'],
    ['C fortran', 'text/plain'],
    ['just words', null],
  ]
  for (const [text, type] of types) t.equal(matchText(Buffer.from(`${text}\0`, 'latin1')), type, text)
  t.end()
})

t.test('files without a type get that of their content, compressed ones with their coding', async (t) => {
  const gif = `GIF89a${'x'.repeat(100)}`
  const server = await site({
    modules: [authzCore, mime, mimeMagic],
    config: 'TypesConfig /dev/null\nAddType text/plain .txt\nMimeMagicFile "@ROOT@/magic"',
    files: {
      magic: '0 string GIF image/gif\n',
      'docs/gif': gif,
      'docs/known.txt': gif,
      'docs/known.txt@2': gif,
      'docs/words': 'words',
      'docs/empty': '',
    },
  })
  t.teardown(() => server.close())
  const typeOf = async (target: string): Promise<string | undefined> => (await server.inject(target)).header('content-type')
  t.equal(await typeOf('/gif'), 'image/gif')
  t.equal(await typeOf('/known.txt'), 'text/plain')
  t.equal(await typeOf('/known.txt@2'), 'text/plain')
  t.equal(await typeOf('/words'), undefined)
  t.equal(await typeOf('/empty'), 'text/plain')
})

t.test('a compressed file has the type of its content', async (t) => {
  const { typeOf } = await import('../src/content-type.ts')
  const { entries } = parseMagic('0 string GIF image/gif\n')
  const packed = gzipSync(`GIF89a${'x'.repeat(100)}`)
  t.same(await typeOf(entries, packed), { type: 'image/gif', encoding: 'x-gzip' })
  await t.rejects(typeOf(entries, Buffer.from([0x1f, 0x8b, 8, 0])), { name: 'DamagedArchive' })
})
