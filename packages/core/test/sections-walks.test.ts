import { DECLINED, OK, type Request } from '@gatewright/api'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'
import { bare, refusal } from './support/refusal.ts'

const FILES: FileTree = {
  'docs/hello.txt': 'hello',
  'docs/sub/deep/f.txt': 'f',
  'docs/sub/g.html': 'g',
  'docs/px/x': 'x',
  'docs/m;x': 'semicolon',
}

async function serve(t: Test, config: string, files: FileTree = FILES): Promise<TestServer> {
  const server = await site({ modules: [wordsModule], config, files })
  t.teardown(() => server.close())
  return server
}

/** A section, the paths to which it applies, and paths to which it does not. */
const MATCHES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  // Directory: whole components, no matter how the argument ends; the last component counts too.
  ['Directory @ROOT@/docs/sub', ['/sub/', '/sub', '/sub/g.html', '/sub/deep/f.txt', '/sub/none'], ['/', '/hello.txt', '/subx']],
  ['Directory @ROOT@/docs/sub/', ['/sub/', '/sub', '/sub/g.html'], ['/hello.txt']],
  ['Directory @ROOT@//docs///sub', ['/sub/g.html'], ['/hello.txt']],
  ['Directory @ROOT@/docs/SUB', [], ['/sub/g.html']],
  ['Directory @ROOT@/docs/su', [], ['/sub/', '/sub/g.html']],
  ['Directory @ROOT@/docs/hello.txt', ['/hello.txt'], ['/hello.txt/', '/hello.txt/info', '/sub/g.html', '/']],
  ['Directory @ROOT@/docs/*', ['/hello.txt', '/sub/deep/f.txt', '/px/x'], ['/', '/none', '/none/x', '/hello.txt/info']],
  ['Directory @ROOT@/docs/*/deep', ['/sub/deep/f.txt', '/sub/deep/'], ['/sub/g.html', '/hello.txt']],
  ['Directory @ROOT@/docs/s?b', ['/sub/g.html'], ['/px/x']],
  ['Directory @ROOT@/docs/[p-s]*', ['/sub/g.html', '/px/x'], ['/hello.txt']],
  ['Directory @ROOT@/*/sub', ['/sub/g.html'], ['/hello.txt']],
  ['Directory /', ['/hello.txt', '/sub/deep/f.txt', '/none/at/all'], []],
  ['Directory docs', [], ['/hello.txt']],
  // Patterns match the whole name, unanchored, with its final slash.
  ['DirectoryMatch "/deep$"', ['/sub/deep'], ['/sub/deep/', '/sub/deep/f.txt']],
  ['DirectoryMatch "/deep/$"', ['/sub/deep/'], ['/sub/deep', '/sub/deep/f.txt']],
  ['DirectoryMatch "f\\.txt"', ['/sub/deep/f.txt'], ['/sub/g.html']],
  ['Directory ~ "docs/(sub|px)"', ['/sub/g.html', '/px/x'], ['/hello.txt']],
  // Files: the last component of what exists, or the first that does not.
  ['Files hello.txt', ['/hello.txt', '/hello.txt/info'], ['/', '/sub/g.html', '/none/hello.txt']],
  ['Files nope', ['/nope', '/sub/nope/x/f.txt'], ['/sub/deep/f.txt']],
  ['Files f.txt', ['/sub/deep/f.txt'], ['/sub/nope/x/f.txt']],
  ['Files deep', ['/sub/deep'], ['/sub/deep/', '/sub/deep/f.txt']],
  ['Files sub/g.html', [], ['/sub/g.html']],
  ['Files *.txt', ['/hello.txt', '/sub/deep/f.txt'], ['/sub/g.html']],
  ['Files ?.html', ['/sub/g.html'], ['/hello.txt']],
  ['Files HELLO.TXT', [], ['/hello.txt']],
  ['FilesMatch "^(g|f)\\."', ['/sub/g.html', '/sub/deep/f.txt'], ['/hello.txt']],
  ['FilesMatch ""', ['/hello.txt', '/', '/sub/', '/sub', '/none/'], []],
  ['FilesMatch ".*"', ['/hello.txt', '/', '/sub/', '/sub', '/none/'], []],
  ['FilesMatch "."', ['/hello.txt', '/sub', '/none/'], ['/', '/sub/']],
  ['Files ~ "^$"', ['/', '/sub/'], ['/hello.txt', '/sub', '/none/']],
  ['Files "*"', ['/hello.txt', '/', '/sub/', '/sub', '/none/'], []],
  // Location: the path of the URL, decoded and cleaned, before anything is mapped.
  ['Location /p', ['/p', '/p/', '/p/x/y'], ['/px', '/px/x', '/p;x', '/']],
  ['Location /p/', ['/p/', '/p/x'], ['/p', '/px']],
  ['Location /', ['/', '/hello.txt', '/none/at/all'], []],
  ['Location /P', [], ['/p']],
  ['Location "/s*"', ['/sub', '/s'], ['/sub/g.html', '/hello.txt']],
  ['Location "/*/deep/*"', ['/sub/deep/f.txt', '/any/deep/x'], ['/sub/deep', '/a/b/deep/x', '/sub/deep/f/g']],
  ['Location /m', ['/%6d/x', '/./m', '/x/../m/y', '//m', '/m//x', '/%6D'], ['/%6dx']],
  ['Location /a%20b', [], ['/a%20b']],
  ['Location "/a b"', ['/a%20b', '/a%20b/c'], ['/a%2520b']],
  ['Location //sub', [], ['/sub', '//sub']],
  ['Location sub', [], ['/sub', '/']],
  ['LocationMatch "deep"', ['/sub/deep/f.txt', '/xdeepx'], ['/sub']],
  ['LocationMatch "^/sub/?$"', ['/sub', '/sub/'], ['/sub/x']],
  ['Location ~ "/(a|b)$"', ['/a', '/x/b'], ['/c']],
  // If: any condition that an expression supports.
  ['If "%{REQUEST_URI} =~ m#deep#"', ['/sub/deep/f.txt'], ['/sub/g.html']],
  ['If "%{QUERY_STRING} == \'x\'"', ['/?x', '/sub/g.html?x'], ['/', '/?y']],
]

for (const [opening, applies, not] of MATCHES) {
  t.test(`<${opening}> applies to ${applies.length === 0 ? 'nothing' : applies.join(' ')}`, async (t) => {
    const server = await serve(t, `<${opening}>\nWord applies\n</${opening.split(' ')[0]}>`)
    for (const target of applies) t.equal((await server.inject(target)).header('X-Words'), 'applies', target)
    for (const target of not) t.equal((await server.inject(target)).header('X-Words'), '', target)
  })
}

t.test('with MergeSlashes Off only patterns see the slashes, and no file is hidden by them', async (t) => {
  const config =
    'MergeSlashes Off\n<Location /sub>\nWord plain\n</Location>\n<LocationMatch "//">\nWord pattern\n</LocationMatch>'
  const server = await serve(t, `${config}\n<Directory @ROOT@/docs/sub>\nWord folder\n</Directory>`)
  t.match(await server.inject('//sub//g.html'), { status: 200, body: 'g' })
  t.equal((await server.inject('//sub//g.html')).header('X-Words'), 'folder plain pattern')
})

t.test('Location speaks of the URL, Directory of what it is mapped to', async (t) => {
  const alias = moduleOf('alias', ({ hooks }) =>
    hooks.translateName.add((request) => {
      if (!request.uri.startsWith('/alias/')) return DECLINED
      request.filename = `${request.server.documentRoot}/sub/${request.uri.slice(7)}`
      return OK
    }),
  )
  const config =
    '<Location /alias>\nWord url\n</Location>\n<Location /sub>\nWord never\n</Location>\n<Directory @ROOT@/docs/sub>\nWord folder\n</Directory>'
  const server = await site({ modules: [alias, wordsModule], config, files: FILES })
  t.teardown(() => server.close())
  const response = await server.inject('/alias/g.html')
  t.match(response, { status: 200, body: 'g' })
  t.equal(response.header('X-Words'), 'folder url')
})

/** Chains of conditions and the words of those that are true. */
const CHAINS: readonly (readonly [readonly string[], string])[] = [
  [['If true', 'Else'], 'If'],
  [['If false', 'Else'], 'Else'],
  [['If false', 'ElseIf true', 'Else'], 'ElseIf'],
  [['If false', 'ElseIf false', 'ElseIf true', 'Else'], 'ElseIf'],
  [['If true', 'ElseIf true', 'Else'], 'If'],
  [['If false', 'ElseIf false'], ''],
  [['If true', 'If false', 'Else', 'If true'], 'If Else If'],
]

for (const [openings, words] of CHAINS) {
  t.test(`of ${openings.join(', ')} these apply: ${words === '' ? 'none' : words}`, async (t) => {
    const sections = openings.map((opening) => {
      const [name] = opening.split(' ')
      return `<${opening}>\nWord ${name}\n</${name}>`
    })
    for (const between of ['\n', '\nServerSignature Off\n']) {
      const server = await serve(t, sections.join(between))
      t.equal((await server.inject('/')).header('X-Words'), words)
    }
  })
}

t.test('chains in different sections know nothing of each other', async (t) => {
  const config =
    '<If true>\nWord outer\n</If>\n<Location />\n<If false>\nWord never\n</If>\n<Else>\nWord inner\n</Else>\n</Location>'
  t.equal((await (await serve(t, config)).inject('/')).header('X-Words'), 'outer inner')
  const { line } = await refusal('<If true>\n</If>\n<Location />\n<Else>\n</Else>\n</Location>')
  t.equal(line, 4)
})

t.test('Files inside If is legal and never applies; If inside Files does', async (t) => {
  const config =
    '<If true>\nWord if\n<Files hello.txt>\nWord never\n</Files>\n</If>\n<Files hello.txt>\n<If true>\nWord if-in-files\n</If>\n</Files>'
  t.equal((await (await serve(t, config)).inject('/hello.txt')).header('X-Words'), 'if if-in-files')
})

t.test('a condition that cannot be evaluated is a 500, not a section that does not apply', async (t) => {
  const server = await serve(t, "<If \"file('/nonexistent/file') == 'x'\">\nWord never\n</If>")
  t.equal((await server.inject('/hello.txt')).status, 500)
  t.match(server.errors().map(bare).at(-1), /AH00039: Failed to evaluate <If > condition: /)
})

/** The parts of a path. */
const TAKEN_APART: readonly (readonly [string, string, string, string | null])[] = [
  ['/hello.txt', '/hello.txt', '', 'file'],
  ['/hello.txt/', '/hello.txt', '/', 'file'],
  ['/hello.txt/more/info', '/hello.txt', '/more/info', 'file'],
  ['/sub', '/sub', '', 'directory'],
  ['/sub/', '/sub/', '', 'directory'],
  ['/sub/none', '/sub/none', '', null],
  ['/sub/none/', '/sub/none', '/', null],
  ['/sub/none/at/all', '/sub/none', '/at/all', null],
  ['/', '/', '', 'directory'],
]

for (const [target, filename, pathInfo, kind] of TAKEN_APART) {
  t.test(`${target} is ${kind ?? 'missing'} ${filename}${pathInfo === '' ? '' : ` with path info ${pathInfo}`}`, async (t) => {
    const seen: Request[] = []
    const look = moduleOf('look', ({ hooks }) =>
      hooks.fixups.add((request) => {
        seen.push(request)
        return DECLINED
      }),
    )
    const server = await site({ modules: [wordsModule, look], files: FILES })
    t.teardown(() => server.close())
    await server.inject(target)
    t.match(seen, [{ pathInfo, fileInfo: kind === null ? null : { kind } }])
    t.equal(seen[0]?.filename, `${server.serverRoot}/docs${filename}`)
  })
}

t.test('a file with path info is served only if AcceptPathInfo allows it', async (t) => {
  for (const [setting, status] of [
    ['', 404],
    ['AcceptPathInfo Default', 404],
    ['AcceptPathInfo Off', 404],
    ['AcceptPathInfo On', 200],
  ] as const) {
    const server = await serve(t, `LogLevel info\n${setting}`)
    t.equal((await server.inject('/hello.txt/info')).status, status, setting)
    if (status === 404) {
      t.match(server.errors().map(bare), [`[core:info] AH00130: File does not exist: ${server.serverRoot}/docs/hello.txt/info`])
    }
  }
})
