import { site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'

const word = (name: string): string => `Word ${name}`
const section = (opening: string, ...lines: readonly string[]): string =>
  `<${opening}>\n${lines.join('\n')}\n</${opening.split(' ')[0]}>`

const FILES = {
  'docs/sub/deep/f.txt': 'f',
  'docs/sub/.htaccess': [
    word('ht-sub'),
    section('Files f.txt', word('files-in-ht-sub')),
    section('If true', word('if-in-ht-sub')),
  ].join('\n'),
  'docs/sub/deep/.htaccess': word('ht-deep'),
}

/** One section of every kind, not in the order of merging. */
const MAIN: readonly string[] = [
  section('If true', word('if-main')),
  section('LocationMatch "^/s(?<rest>.*)"', word('lm-s')),
  section('Location /sub/deep', word('l-sub-deep'), section('If true', word('if-in-l-sub-deep'))),
  section('FilesMatch "^f"', word('fm')),
  section('Files f.txt', word('f')),
  section('Files ~ "txt$"', word('f~')),
  section('DirectoryMatch "^@ROOT@/docs/(?<sect>[^/]+)"', word('dm-5')),
  section('DirectoryMatch "^@ROOT@/docs/su"', word('dm-4')),
  section('DirectoryMatch "/deep"', word('dm-1')),
  section('Directory ~ "/sub"', word('d~-1')),
  section('DirectoryMatch "f\\.txt"', word('dm-0')),
  section(
    'Directory "@ROOT@/docs/sub/deep"',
    word('d-deep'),
    section('Files f.txt', word('files-in-d-deep')),
    section('If true', word('if-in-d-deep'), section('If true', word('if-in-if'))),
  ),
  section('Directory "@ROOT@/docs/sub/"', word('d-sub')),
  section('Directory "@ROOT@/docs/sub"', word('d-sub2')),
  section('Directory "@ROOT@/docs/*"', word('d-wild')),
  section('Directory "@ROOT@/*"', word('d-wild-parent')),
  section('Directory "@ROOT@/docs"', 'AllowOverride All', word('d-docs'), section('Files f.txt', word('files-in-d-docs'))),
  section('Directory /', word('d-root')),
  section('Location /sub', word('l-sub')),
  section('Location /', word('l-root')),
  section('Location /sub/deep/', word('l-sub-deep-slash')),
  section('Location "/*/deep/*"', word('l-wild')),
  section('Location "/s?b/deep/f.txt"', word('l-wild-file')),
  section('Location ~ "deep"', word('l~')),
  section('Location /other', word('never')),
  section('Directory "@ROOT@/docs/sub/none"', word('never')),
  section('Files g.txt', word('never')),
  section('If false', word('never')),
  word('main'),
]

const DIRECTORIES = ['d-root', 'd-wild-parent', 'd-docs', 'd-sub', 'd-sub2', 'd-wild', 'ht-sub', 'd-deep', 'ht-deep']
const PATTERNS = ['dm-0', 'dm-1', 'd~-1', 'dm-4', 'dm-5']
const SERVER_FILES = ['fm', 'f', 'f~']
const NESTED_FILES = ['files-in-d-docs', 'files-in-ht-sub', 'files-in-d-deep']
const LOCATIONS = ['lm-s', 'l-sub-deep', 'l-sub', 'l-root', 'l-sub-deep-slash', 'l-wild', 'l-wild-file', 'l~']
const NESTED_IFS = ['if-in-ht-sub', 'if-in-d-deep', 'if-in-l-sub-deep', 'if-in-if']

t.test('sections are merged in the order of httpd, regardless of their order in the file', async (t) => {
  const server = await site({ modules: [wordsModule], config: MAIN.join('\n'), files: FILES })
  t.teardown(() => server.close())
  const { status, header } = await server.inject('/sub/deep/f.txt')
  t.equal(status, 200)
  t.strictSame(header('X-Words')?.split(' '), [
    'main',
    ...DIRECTORIES,
    ...PATTERNS,
    ...SERVER_FILES,
    ...NESTED_FILES,
    ...LOCATIONS,
    'if-main',
    ...NESTED_IFS,
  ])
})

t.test('the order of lines decides among equals only', async (t) => {
  const server = await site({ modules: [wordsModule], config: [...MAIN].reverse().join('\n'), files: FILES })
  t.teardown(() => server.close())
  const words = (await server.inject('/sub/deep/f.txt')).header('X-Words')?.split(' ') ?? []
  const of = (prefixes: readonly string[]): string[] => words.filter((one) => prefixes.includes(one))
  t.strictSame(of(DIRECTORIES), ['d-root', 'd-docs', 'd-wild-parent', 'd-wild', 'd-sub2', 'd-sub', 'ht-sub', 'd-deep', 'ht-deep'])
  t.strictSame(of(PATTERNS), ['dm-0', 'd~-1', 'dm-1', 'dm-4', 'dm-5'])
  t.strictSame(of(LOCATIONS), [...LOCATIONS].reverse())
  t.strictSame(of(SERVER_FILES), [...SERVER_FILES].reverse())
  t.strictSame(of(NESTED_FILES), NESTED_FILES, 'these follow their parents')
})

t.test("a virtual host's sections are merged after the main server's of the same kind and depth", async (t) => {
  const host = [
    word('vh'),
    section('If true', word('vh-if')),
    section('Location /sub', word('vh-l-sub')),
    section('Files f.txt', word('vh-f')),
    section('Directory "@ROOT@/docs"', word('vh-d-docs')),
    section('Directory /', word('vh-d-root')),
    section('DirectoryMatch "/deep"', word('vh-dm-1')),
  ]
  const config = ['<VirtualHost *>', 'ServerName localhost', ...host, '</VirtualHost>', ...MAIN].join('\n')
  const server = await site({ modules: [wordsModule], config, files: FILES })
  t.teardown(() => server.close())
  const words = (await server.inject('/sub/deep/f.txt')).header('X-Words')?.split(' ')
  const behind = (list: readonly string[], after: string, added: string): string[] =>
    list.flatMap((one) => (one === after ? [one, added] : [one]))
  t.strictSame(words, [
    'main',
    'vh',
    ...behind(behind(DIRECTORIES, 'd-root', 'vh-d-root'), 'd-docs', 'vh-d-docs'),
    ...behind(PATTERNS, 'd~-1', 'vh-dm-1'),
    ...SERVER_FILES,
    'vh-f',
    ...NESTED_FILES,
    ...LOCATIONS,
    'vh-l-sub',
    'if-main',
    'vh-if',
    ...NESTED_IFS,
  ])
})

t.test('the sections of a virtual host do not affect another one', async (t) => {
  const host = (name: string): string =>
    `<VirtualHost *>\nServerName ${name}\nWord ${name}\n${section('Location /', word(`l-${name}`))}\n</VirtualHost>`
  const server = await site({ modules: [wordsModule], config: [word('main'), host('one'), host('two')].join('\n') })
  t.teardown(() => server.close())
  for (const name of ['one', 'two']) {
    const { header } = await server.inject({ target: '/', headers: { Host: name } })
    t.equal(header('X-Words'), `main ${name} l-${name}`)
  }
})

t.test('named groups of the patterns that matched are variables of the request', async (t) => {
  const seen = new Map<string, string>()
  const look = moduleOf('look', ({ hooks }) =>
    hooks.logTransaction.add((request) => {
      for (const [name, value] of request.env) if (name.startsWith('MATCH_')) seen.set(name, value)
    }),
  )
  const config = [
    section('LocationMatch "^/s(?<rest>[^.]*)(?<missing>,)?(?<empty>,*)"', word('a')),
    section('DirectoryMatch "^@ROOT@/docs/(?<sect>[^/]+)"', word('b')),
    section('FilesMatch "^(?<Stem>\\w+)\\.(?<ending>\\w+)$"', word('c')),
    section('LocationMatch "^/t(?<other>.*)"', word('d')),
  ].join('\n')
  const server = await site({ modules: [wordsModule, look], config, files: { 'docs/sub/deep/f.txt': 'f' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/sub/deep/f.txt')).header('X-Words'), 'b c a')
  t.strictSame(Object.fromEntries(seen), {
    MATCH_REST: 'ub/deep/f',
    MATCH_EMPTY: '',
    MATCH_SECT: 'sub',
    MATCH_STEM: 'f',
    MATCH_ENDING: 'txt',
  })
})
