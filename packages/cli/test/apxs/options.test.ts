import t from 'tap'
import { definitions } from '../../src/apxs/definitions.ts'
import { parseApxsOptions } from '../../src/apxs/options.ts'

t.test('options can be combined, and end at the first word that is not an option', (t) => {
  t.match(parseApxsOptions(['-cia', '-n', 'hello', 'a.ts', '-v']), {
    compile: true,
    install: true,
    edit: false,
    line: 'active',
    name: 'hello',
    aligned: false,
    words: ['a.ts', '-v'],
  })
  t.match(parseApxsOptions(['-e', '-A', '-a', 'mod_x.so']), { edit: true, line: 'commented', words: ['mod_x.so'] })
  t.match(parseApxsOptions(['-i', '--', '-x.mjs']), { line: 'untouched', words: ['-x.mjs'] })
  t.end()
})

t.test('what only a C compiler understands is set apart', (t) => {
  const argv = ['-c', '-Wc,-Wall', '-I', '/usr/include', '-lfoo', '-p', '-DX=1', '-D', 'Y', '-L.', '-Wl,-s', 'a.ts']
  t.match(parseApxsOptions(argv), {
    foreign: ['-Wc,-Wall', '-I/usr/include', '-lfoo', '-p', '-L.', '-Wl,-s'],
    defines: ['X=1', 'Y'],
  })
  t.end()
})

t.test("unknown and incomplete options are reported with the messages of httpd's apxs", (t) => {
  t.strictSame(parseApxsOptions(['-z']), { problem: 'Unknown option: z' })
  t.strictSame(parseApxsOptions(['-g', '-n']), { problem: 'Incomplete option: n (needs an argument)' })
  t.end()
})

t.test('-D defines numbers, texts and quoted values, and 1 without a value', (t) => {
  t.strictSame(definitions(['DEBUG', 'LIMIT=10', 'NAME=hello you', 'TEXT="10"', 'ON=true', 'EMPTY=', 'LIST=[1]']), {
    DEBUG: '1',
    LIMIT: '10',
    NAME: '"hello you"',
    TEXT: '"10"',
    ON: 'true',
    EMPTY: '""',
    LIST: '"[1]"',
  })
  t.throws(() => definitions(['1X=2']), /^-D 1X=2 defines nothing$/)
  t.end()
})
