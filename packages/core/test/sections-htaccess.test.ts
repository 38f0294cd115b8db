import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DECLINED, type DirectoryConfig } from '@gatewright/api'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'
import { withoutRights } from './support/rights.ts'

const OVERRIDE_ALL = '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>'

async function serve(t: Test, files: FileTree, config = OVERRIDE_ALL): Promise<TestServer> {
  const server = await site({ modules: [wordsModule], config, files })
  t.teardown(() => server.close())
  return server
}

/**
 * Edits take effect in the next turn of the event loop; requests without a socket would all be served in one.
 */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function words(server: TestServer, target: string): Promise<string | undefined> {
  await nextTurn()
  return (await server.inject(target)).header('X-Words')
}

t.test('an edit of an .htaccess file counts with the next request', async (t) => {
  const server = await serve(t, { 'docs/a/f': '', 'docs/a/.htaccess': 'Word one' })
  const file = join(server.serverRoot, 'docs/a/.htaccess')
  t.equal(await words(server, '/a/f'), 'one')
  for (const text of ['two', 'six', 'another']) {
    // With the same length or not, within the same millisecond or not.
    writeFileSync(file, `Word ${text}`)
    t.equal(await words(server, '/a/f'), text)
  }
  rmSync(file)
  t.equal(await words(server, '/a/f'), '')
  writeFileSync(file, 'Word back')
  t.equal(await words(server, '/a/f'), 'back')
  writeFileSync(file, 'NoSuchThing')
  await nextTurn()
  t.equal((await server.inject('/a/f')).status, 500)
  writeFileSync(file, 'Word mended')
  t.equal(await words(server, '/a/f'), 'mended')
})

t.test('files that appear and go above a folder count for it', async (t) => {
  const server = await serve(t, { 'docs/a/b/f': '' })
  t.equal(await words(server, '/a/b/f'), '')
  writeFileSync(join(server.serverRoot, 'docs/a/.htaccess'), 'Word upper')
  writeFileSync(join(server.serverRoot, 'docs/a/b/.htaccess'), 'Word lower')
  t.equal(await words(server, '/a/b/f'), 'upper lower')
  rmSync(join(server.serverRoot, 'docs/a/.htaccess'))
  t.equal(await words(server, '/a/b/f'), 'lower')
})

t.test('the first existing name of AccessFileName is used', async (t) => {
  const files = {
    'docs/one/f': '',
    'docs/one/.first': 'Word first',
    'docs/one/.second': 'Word second',
    'docs/two/f': '',
    'docs/two/.second': 'Word second',
    'docs/three/f': '',
    'docs/three/.htaccess': 'NoSuchThing',
  }
  const server = await serve(t, files, `AccessFileName .first .second\n${OVERRIDE_ALL}`)
  t.strictSame(await Promise.all(['/one/f', '/two/f', '/three/f'].map((target) => words(server, target))), [
    'first',
    'second',
    '',
  ])
})

t.test('with AllowOverride None the files are not read', async (t) => {
  const files = { 'docs/a/f': '', 'docs/a/.htaccess': 'NoSuchThing', 'docs/b/f': '', 'docs/b/.htaccess': 'Word b' }
  for (const config of [
    '<Directory @ROOT@/docs>\nAllowOverride None\n</Directory>',
    `${OVERRIDE_ALL}\n<Directory @ROOT@/docs/a>\nAllowOverride None\nAllowOverrideList None\n</Directory>`,
  ]) {
    const server = await serve(t, files, config)
    t.equal((await server.inject('/a/f')).status, 200)
    t.equal(await words(server, '/b/f'), config.startsWith(OVERRIDE_ALL) ? 'b' : '')
  }
})

for (const [place, config] of [
  ['without an AllowOverride line', ''],
  ['with AllowOverride in a Location only', '<Location />\nAllowOverride All\n</Location>'],
  ['with AllowOverride for another folder only', '<Directory @ROOT@/docs/other>\nAllowOverride None\n</Directory>'],
] as const) {
  t.test(`${place} .htaccess files are read, and every directive is refused`, async (t) => {
    const files = {
      'docs/a/f': 'secret',
      'docs/a/.htaccess': 'Word never',
      'docs/b/f': 'open',
      'docs/b/.htaccess': '# nothing\n',
      'docs/other/f': 'other',
    }
    const server = await serve(t, files, config)
    const { status, body } = await server.inject('/a/f')
    t.equal(status, 500)
    t.notMatch(body, 'secret')
    t.equal(server.errors().map(bare).at(-1), `[core:alert] ${server.serverRoot}/docs/a/.htaccess: Word not allowed here`)
    t.match(await server.inject('/b/f'), { status: 200, body: 'open' }, 'a file without directives refuses nothing')
    t.match(await server.inject('/other/f'), { status: 200, body: 'other' })
  })
}

t.test('without an AllowOverride line a file that may not be read refuses its folder', async (t) => {
  const server = await serve(t, { 'docs/a/f': 'secret' }, '')
  mkdirSync(join(server.serverRoot, 'docs/a/.htaccess'))
  t.equal((await server.inject('/a/f')).status, 403)
  t.match(server.errors().map(bare), [/AH00554: /, /AH00529: /])
})

/** An .htaccess file, the AllowOverride, and the line that explains the 500. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['Word x', 'AuthConfig', 'Word not allowed here'],
  ['Timeout 3', 'All', 'Timeout not allowed here'],
  ['<Files f>\nTimeout 3\n</Files>', 'All', 'Timeout not allowed in <Files> context'],
  ['Options FollowSymLinks', 'Options=Indexes', 'Option FollowSymLinks not allowed here'],
  ['Options All', 'Options=Indexes', 'Option All not allowed here'],
  [
    'NoSuchThing',
    'All',
    "Invalid command 'NoSuchThing', perhaps misspelled or defined by a module not included in the server configuration",
  ],
  ['ErrorDocument 999 x', 'All', 'Unsupported HTTP response code 999'],
  ['Include x', 'All', 'Include not allowed here'],
  ['Define A', 'All', 'Define not allowed here'],
  ['LoadModule x_module x.so', 'All', 'LoadModule not allowed here'],
  ['ServerRoot /', 'All', 'ServerRoot not allowed here'],
  ['<VirtualHost *>\n</VirtualHost>', 'All', '<VirtualHost not allowed here'],
  ['<IfModule core.c>\nWord x\n</IfModule>', 'AuthConfig', 'Word not allowed here'],
  ['Word', 'All', 'Word requires at least one argument, words that the response shows'],
]

for (const [text, grant, message] of REFUSED) {
  t.test(`${JSON.stringify(text)} in .htaccess is a 500 where AllowOverride is ${grant}`, async (t) => {
    const config = `<Directory @ROOT@/docs>\nAllowOverride ${grant}\n</Directory>`
    const server = await serve(t, { 'docs/f': 'secret', 'docs/.htaccess': text }, config)
    const { status, body } = await server.inject('/f')
    t.equal(status, 500)
    t.notMatch(body, 'secret')
    const [advice, alert, ...more] = server.errors().map(bare)
    t.match(advice, /^\[core:warn\] \S+\/docs\/\.htaccess:\d+: /, 'the place, which httpd does not log')
    t.equal(alert, `[core:alert] ${server.serverRoot}/docs/.htaccess: ${message}`)
    t.strictSame(more, [])
    t.notMatch(alert, /AH\d{5}/)
  })
}

t.test('a container left open in .htaccess is a 500', async (t) => {
  const server = await serve(t, { 'docs/f': '', 'docs/.htaccess': '\n<Files f>\nWord x' })
  t.equal((await server.inject('/f')).status, 500)
  t.match(server.errors().map(bare), [
    /^\[core:warn\] \S+\.htaccess:2: <Files> was not closed\./,
    /^\[core:alert\] \S+\.htaccess: \S+\.htaccess:2: <Files> was not closed\.$/,
  ])
})

t.test('Nonfatal makes warnings of what would be errors', async (t) => {
  const files = { 'docs/f': '', 'docs/.htaccess': 'Timeout 3\nWord x\nNoSuchThing' }
  for (const [grant, status, lines] of [
    [
      'Nonfatal=All',
      200,
      [
        '[core:warn] AH02295: Timeout in .htaccess forbidden by AllowOverride',
        '[core:warn] AH02296: Unknown directive nosuchthing perhaps misspelled or defined by a module not included in the server configuration',
      ],
    ],
    ['Nonfatal=Override', 500, undefined],
    ['Nonfatal=Unknown', 500, undefined],
  ] as const) {
    const server = await serve(t, files, `<Directory @ROOT@/docs>\nAllowOverride FileInfo ${grant}\n</Directory>`)
    const response = await server.inject('/f')
    t.equal(response.status, status, grant)
    if (lines === undefined) continue
    t.equal(response.header('X-Words'), 'x')
    t.strictSame(server.errors().map(bare), lines)
  }
})

t.test('Nonfatal=All also makes warnings of lines that the server applies while it reads', async (t) => {
  const lines = ['ServerRoot /srv/other', 'LoadModule x_module modules/mod_x.so', 'Include other.conf', 'Word x']
  const files = { 'docs/f': '', 'docs/.htaccess': lines.join('\n') }
  for (const [grant, status] of [
    ['Nonfatal=All', 200],
    ['Nonfatal=Unknown', 500],
  ] as const) {
    const server = await serve(t, files, `<Directory @ROOT@/docs>\nAllowOverride FileInfo ${grant}\n</Directory>`)
    const response = await server.inject('/f')
    t.equal(response.status, status, grant)
    if (status !== 200) continue
    t.equal(response.header('X-Words'), 'x')
    t.strictSame(
      server.errors().map(bare),
      ['ServerRoot', 'LoadModule', 'Include'].map(
        (name) => `[core:warn] AH02295: ${name} in .htaccess forbidden by AllowOverride`,
      ),
    )
  }
})

// The answer of httpd if the file has an unknown directive, and one that AllowOverride does not allow.
for (const [words, unknown, refused] of [
  ['Nonfatal=Unknown All', 500, 200],
  ['All Nonfatal=Unknown', 200, 200],
  ['Nonfatal=Override None', 200, 200],
  ['None Nonfatal=Override', 500, 200],
  ['None Nonfatal=Unknown', 200, 500],
  ['Nonfatal=All AuthConfig', 200, 200],
  ['Nonfatal=Unknown All AuthConfig', 500, 200],
] as const) {
  t.test(`AllowOverride ${words}: All and None forget what was nonfatal before them`, async (t) => {
    const section = `<Directory @ROOT@/docs>\nAllowOverride ${words}\n</Directory>`
    const withUnknown = await serve(t, { 'docs/f': '', 'docs/.htaccess': 'NoSuchThing' }, section)
    t.equal((await withUnknown.inject('/f')).status, unknown)
    const withRefused = await serve(t, { 'docs/f': '', 'docs/.htaccess': 'Word x' }, section)
    t.equal((await withRefused.inject('/f')).status, refused)
  })
}

t.test('a line of .htaccess may be as long as 8192 bytes and no longer', async (t) => {
  const line = (length: number): string => `Word ${'x'.repeat(length - 5)}`
  const server = await serve(t, {
    'docs/a/f': '',
    'docs/a/.htaccess': line(8000),
    'docs/b/f': 'secret',
    'docs/b/.htaccess': line(8300),
  })
  t.equal((await server.inject('/a/f')).status, 200)
  t.match(await server.inject('/b/f'), { status: 500 })
})

t.test('a folder named like an .htaccess file denies access to its parent folder', async (t) => {
  const server = await serve(t, { 'docs/f': 'secret' })
  mkdirSync(join(server.serverRoot, 'docs/.htaccess'))
  t.equal((await server.inject('/f')).status, 403)
  t.match(server.errors().join('\n'), /AH00554: Access to file .*\.htaccess denied by server: not a regular file/)
})

t.test('an .htaccess file that cannot be read closes its folder', async (t) => {
  const server = await serve(t, {
    'docs/a/f': 'secret',
    'docs/a/.htaccess': 'Word x',
    'docs/b/.htaccess': '',
    'docs/b/f': 'secret',
  })
  chmodSync(server.serverRoot, 0o755)
  chmodSync(join(server.serverRoot, 'docs/a/.htaccess'), 0o000)
  await withoutRights(async () => {
    const { status, body } = await server.inject('/a/f')
    t.equal(status, 403)
    t.match(body, 'Server unable to read htaccess file, denying access to be safe')
    const folder = `${server.serverRoot}/docs/a/`
    t.match(server.errors(), [
      new RegExp(
        `\\[core:crit\\] \\[pid [^\\]]+\\] \\(13\\)Permission denied: \\[client \\S+\\] AH00529: ${folder}\\.htaccess pcfg_openfile: unable to check htaccess file, ensure it is readable and that '${folder}' is executable$`,
      ),
    ])
  })
  chmodSync(join(server.serverRoot, 'docs/b'), 0o000)
  await withoutRights(async () =>
    t.equal((await server.inject('/b/f')).status, 403, 'nor one in a folder that may not be searched'),
  )
})

t.test('requests that meet the same sections have the same configuration object', async (t) => {
  const seen: DirectoryConfig[] = []
  const look = moduleOf('look', ({ hooks }) =>
    hooks.fixups.add((request) => {
      seen.push(request.config)
      return DECLINED
    }),
  )
  const config = `${OVERRIDE_ALL}\n<Location /a>\nWord l\n</Location>\n<FilesMatch "^g">\nWord g\n</FilesMatch>\n<If "%{QUERY_STRING} == 'x'">\nWord x\n</If>`
  const server = await site({
    modules: [wordsModule, look],
    config,
    files: { 'docs/a/f': '', 'docs/a/e': '', 'docs/a/g': '', 'docs/b/f': '', 'docs/a/.htaccess': 'Word a' },
  })
  t.teardown(() => server.close())
  const configOf = async (target: string): Promise<DirectoryConfig | undefined> => {
    await nextTurn()
    await server.inject(target)
    return seen.at(-1)
  }
  const first = await configOf('/a/f')
  t.equal(await configOf('/a/f'), first)
  t.equal(await configOf('/a/e'), first, 'another file of the folder')
  t.equal(await configOf('/a/f?y'), first)
  t.not(await configOf('/a/g'), first, 'a Files section more')
  t.not(await configOf('/a/f?x'), first, 'an If section more')
  t.equal(await configOf('/a/f?x'), await configOf('/a/e?x'))
  t.not(await configOf('/b/f'), first, 'no .htaccess file')
  writeFileSync(join(server.serverRoot, 'docs/a/.htaccess'), 'Word b')
  const edited = await configOf('/a/f')
  t.not(edited, first, 'another .htaccess file')
  t.equal(await configOf('/a/e'), edited)
  writeFileSync(join(server.serverRoot, 'docs/a/.htaccess'), 'Word b')
  t.equal(await configOf('/a/f'), edited, 'written again with the same content')
  const without = await configOf('/b/f')
  writeFileSync(join(server.serverRoot, 'docs/b/.htaccess'), '# nothing')
  t.not(await configOf('/b/f'), without, 'an .htaccess file that says nothing')
})

t.test('a .htaccess file that is too large is not read, causes a 500 for its folder, and is logged', async (t) => {
  const server = await serve(t, { 'docs/a/f': '', 'docs/a/.htaccess': 'Word one\n', 'docs/b/f': '' })
  truncateSync(join(server.serverRoot, 'docs/a/.htaccess'), 2 ** 40)
  await nextTurn()
  t.equal((await server.inject('/a/f')).status, 500)
  t.match(server.errors().at(-1) ?? '', /\/docs\/a\/\.htaccess: the file is not read because it is larger than 16 MiB/)
  t.equal(await words(server, '/b/f'), '')
})
