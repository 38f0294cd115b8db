/** A recorded session of an editor with `gatewright lsp`, and hostile documents. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { Editor, startServer } from './fixtures/editor.ts'
import { MODULES } from './fixtures/staged-server.ts'

const PROGRAM = join(MODULES, '../bin/gatewright')

const CONFIG = `ServerName localhost
Listen 8080
Define DOCS @ROOT@/docs
DocumentRoot \${DOCS}
Include conf.d/*.conf
<Macro Closed $folder>
  <Directory $folder>
    Require all denied
  </Directory>
</Macro>
Use Closed @ROOT@/closed
<Directory @ROOT@/docs>
  Options FollowSymLinks
  AllowOverride AuthConfig
  Require ip 127.0.0.1
</Directory>
<Directory @ROOT@/docs/old>
  Order allow,deny
  Allow from 127.0.0.1
</Directory>
Alias /manual @ROOT@/docs/old
`

/** A folder with a configuration and documents. */
function tree(t: Test): { readonly root: string; readonly main: string; readonly text: string } {
  const root = t.testdir({ docs: { old: {}, 'index.html': '' }, closed: {}, 'conf.d': { 'names.conf': 'Define COLOUR blue\n' } })
  const text = CONFIG.replaceAll('@ROOT@', root)
  const main = join(root, 'httpd.conf')
  writeFileSync(main, text)
  return { root, main, text }
}

async function started(t: Test, folder: string, hasSnippets = true): Promise<Editor> {
  const editor = await Editor.start({ program: PROGRAM, folder, hasSnippets })
  t.teardown(() => (editor.exit === null ? editor.close() : undefined))
  return editor
}

/** Labels of what is offered at the end of a line that is added to a text. */
async function offered(editor: Editor, path: string, text: string, line: number, typed: string): Promise<string[]> {
  const lines = text.split('\n')
  lines.splice(line, 0, typed)
  await editor.change(path, lines.join('\n'))
  return (await editor.complete(path, line, typed.length)).map(({ label }) => label)
}

t.test('a session: completion follows the place, the AllowOverride and the words of a directive', async (t) => {
  const { root, main, text } = tree(t)
  const editor = await started(t, root)
  await editor.open(main, text)
  const atServer = await offered(editor, main, text, 1, 'L')
  t.ok(atServer.includes('Listen') && atServer.includes('LoadModule'))
  const inDirectory = await offered(editor, main, text, 12, '  ')
  t.ok(inDirectory.includes('Require') && inDirectory.includes('<Files>') && inDirectory.includes('<RequireAll>'))
  t.notOk(inDirectory.includes('Listen') || inDirectory.includes('<VirtualHost>'), 'nothing of the server in a section')
  t.strictSame(await offered(editor, main, text, 12, '</'), ['Directory>'])
  const options = await offered(editor, main, text, 12, '  Options Indexes +')
  t.ok(options.includes('+FollowSymLinks') && !options.includes('+Indexes'), options.join())
  t.strictSame(await offered(editor, main, text, 12, '  Require all '), ['granted', 'denied'])
  const providers = await offered(editor, main, text, 12, '  Require ')
  for (const one of ['all granted', 'ip', 'valid-user', 'ldap-group', 'expr', 'not']) t.ok(providers.includes(one), one)
  t.ok((await offered(editor, main, text, 12, '  AuthType ')).includes('Digest'))
  t.ok((await offered(editor, main, text, 12, '  AuthBasicProvider ')).includes('file'))
  t.ok((await offered(editor, main, text, 12, '  AuthMerging ')).includes('And'), 'words of a manual page')
  t.strictSame(await offered(editor, main, text, 17, '  Order '), ['deny,allow', 'allow,deny', 'mutual-failure'])
  t.ok((await offered(editor, main, text, 4, '<If')).includes('<IfModule>'))
  t.ok((await offered(editor, main, text, 4, 'Use ')).includes('Closed'))
  t.ok((await offered(editor, main, text, 4, 'Alias /x ${')).includes('DOCS'))
  t.ok((await offered(editor, main, text, 4, 'RewriteRule a b [NC,')).includes('QSA'))
  t.ok((await offered(editor, main, text, 4, 'LoadModule ssl')).includes('ssl_module'))
  await editor.change(main, text.replace('  Require ip', '  Require \\\n    all \n  Require ip'))
  const continued = (await editor.complete(main, 15, 8)).map(({ label }) => label)
  t.strictSame(continued, ['granted', 'denied'], 'a line that continues another')

  await editor.change(main, text)
  await editor.until(main, (found) => found.length > 0)
  const access = join(root, 'docs/.htaccess')
  await editor.open(access, 'Optoins None\n')
  await editor.until(access, (found) => found.length > 0)
  const granted = await offered(editor, access, 'Options None\n', 0, '')
  t.ok(granted.includes('AuthName') && granted.includes('Require'), 'AuthConfig is granted')
  t.notOk(granted.includes('Options') || granted.includes('ErrorDocument') || granted.includes('Listen'), 'nothing else is')
  t.equal(await editor.close(), 0)
})

t.test('a session: hover shows the manual, and definitions are found', async (t) => {
  const { root, main, text } = tree(t)
  const editor = await started(t, root)
  await editor.open(main, text)
  const lines = text.split('\n')
  const at = (start: string): number => lines.findIndex((line) => line.trim().startsWith(start))
  const order = await editor.hover(main, at('Order'), 4)
  for (const part of [
    'Order deny,allow',
    'Context: directory, .htaccess',
    'AllowOverride Limit',
    'Default: `deny,allow`',
    'mod_access_compat',
  ])
    t.ok(order.includes(part), `${part} in ${order}`)
  t.match(await editor.hover(main, at('AllowOverride'), 4), /Context: directory/)
  t.match(await editor.hover(main, at('Require ip'), 11), /Require ip/)
  t.equal(await editor.hover(main, 0, 14), '')
  await editor.until(main, (found) => found.length > 0)
  t.match(await editor.hover(main, at('DocumentRoot'), 16), `= \`${root}/docs\``)
  const [completed] = await editor.complete(main, at('Alias'), 5)
  t.match((await editor.resolveItem(completed)).documentation, { kind: 'markdown', value: /URL/ })

  const target = async (start: string, character: number): Promise<string[]> =>
    (await editor.definition(main, at(start), character)).map(
      ({ uri, range }) => `${decodeURIComponent(uri).replace(`file://${root}/`, '')}:${range.start.line + 1}`,
    )
  t.strictSame(await target('Include', 12), ['conf.d/names.conf:1'])
  t.strictSame(await target('DocumentRoot', 18), [`httpd.conf:${at('Define DOCS') + 1}`])
  t.strictSame(await target('Use', 6), [`httpd.conf:${at('<Macro') + 1}`])
  t.strictSame(await target('Alias', 20), [`httpd.conf:${at(`<Directory ${root}/docs/old`) + 1}`])
  await editor.change(
    main,
    `${text}Alias /x \${COLOUR}\nAuthUserFile conf.d/names.conf\nSSLCertificateFile ${root}/docs/index.html\n`,
  )
  t.strictSame(
    (await editor.definition(main, lines.length - 1, 13)).map(({ uri }) => uri.endsWith('conf.d/names.conf')),
    [true],
    'a variable of an included file',
  )
  t.equal((await editor.definition(main, lines.length, 18)).length, 1)
  t.equal((await editor.definition(main, lines.length + 1, 25)).length, 1)
  t.strictSame(await editor.definition(main, 0, 14), [])

  t.strictSame(
    (await editor.symbols(main)).map(({ name }) => name.replace(root, '')),
    ['Macro Closed $folder', 'Directory /docs', 'Directory /docs/old'],
  )
  t.equal((await editor.folding(main)).length, 4)
})

t.test('a session: names are found wherever they are used, and renamed together', async (t) => {
  const { root, main, text } = tree(t)
  const more = `<IfDefine !COLOUR>
  Listen 81
</IfDefine>
Alias /c "\${DOCS}/\${COLOUR}"
# \${COLOUR} in a comment
<AuthnProviderAlias file staff>
  AuthUserFile conf.d/users
</AuthnProviderAlias>
<AuthzProviderAlias ip office "10.0.0.0/8">
</AuthzProviderAlias>
<Location /in>
  AuthBasicProvider dbm \\
    staff
  Require office
  Require not office
  Require ip 10
</Location>
use closed /other
IncludeOptional conf.d/names.conf
`
  const whole = text + more
  const editor = await started(t, root)
  await editor.open(main, whole)
  // Which files belong to the configuration is known once it has been checked.
  await editor.until(main, () => true)
  const lines = whole.split('\n')
  const place = (start: string, word: string): [number, number] => {
    const line = lines.findIndex((each) => each.trim().startsWith(start))
    return [line, lines[line].lastIndexOf(word) + 1]
  }
  const names = join(root, 'conf.d/names.conf')
  const shown = (found: readonly { uri: string; range: { start: { line: number; character: number } } }[]): string[] =>
    found
      .map(({ uri, range }) =>
        uri.endsWith('names.conf')
          ? `names.conf:${range.start.line + 1}`
          : `${lines[range.start.line].trim()} @${range.start.character}`,
      )
      .sort()
  const uses = async (start: string, word: string, all = true): Promise<string[]> =>
    shown(await editor.references(main, ...place(start, word), all))
  t.strictSame(await uses('<IfDefine', 'COLOUR'), ['<IfDefine !COLOUR> @11', 'Alias /c "${DOCS}/${COLOUR}" @20', 'names.conf:1'])
  t.strictSame(await uses('<IfDefine', 'COLOUR', false), ['<IfDefine !COLOUR> @11', 'Alias /c "${DOCS}/${COLOUR}" @20'])
  t.strictSame(await uses('Use', 'Closed'), ['<Macro Closed $folder> @7', `Use Closed ${root}/closed @4`, 'use closed /other @4'])
  t.strictSame(await uses('<AuthnProviderAlias', 'staff'), ['<AuthnProviderAlias file staff> @25', 'staff @4'])
  t.strictSame(await uses('Require not', 'office'), [
    '<AuthzProviderAlias ip office "10.0.0.0/8"> @23',
    'Require not office @14',
    'Require office @10',
  ])
  t.strictSame(await uses('Include conf', 'conf.d'), ['Include conf.d/*.conf @0', 'IncludeOptional conf.d/names.conf @0'])
  t.strictSame(await uses('ServerName', 'localhost'), [])

  t.equal((await editor.prepareRename(main, ...place('<IfDefine', 'COLOUR')))?.placeholder, 'COLOUR')
  t.equal(await editor.prepareRename(main, ...place('Require ip 10', 'ip')), null, 'a provider of a module keeps its name')
  const renamed = await editor.rename(main, ...place('<IfDefine', 'COLOUR'), 'SHADE')
  const edited = new Map(
    Object.entries(renamed?.changes ?? {}).map(([uri, edits]) => [
      uri.split('/').at(-1),
      edits.map(({ newText, range }) => [newText, range.end.character]),
    ]),
  )
  t.strictSame(edited.get('names.conf'), [['SHADE', 13]])
  t.strictSame(edited.get('httpd.conf'), [
    ['SHADE', 17],
    ['SHADE', 26],
  ])
  t.equal(readFileSync(names, 'utf8'), 'Define COLOUR blue\n', 'the server writes nothing')
  for (const [name, reason] of [
    ['DOCS', /already a name/],
    ['a b', /letters, digits and underscores/],
  ] as const)
    await t.rejects(editor.rename(main, ...place('<IfDefine', 'COLOUR'), name), { message: reason })
  await t.rejects(editor.rename(main, ...place('Require ip 10', 'ip'), 'net'), { message: /is not defined in the files/ })
})

t.test('a session: the unsaved text is checked, and actions correct it', async (t) => {
  const { root, main, text } = tree(t)
  const editor = await started(t, root)
  const wrong = text.replace('Options FollowSymLinks', 'Option FollowSymLinks').replace('Listen 8080', 'Listen 80800')
  await editor.open(main, wrong)
  const found = await editor.until(main, (all) => all.filter(({ source }) => source === 'httpd -t').length === 2)
  t.strictSame(
    found.filter(({ source }) => source === 'httpd -t').map(({ range, severity }) => [range.start.line + 1, severity]),
    [
      [2, 1],
      [13, 1],
    ],
    'both lines, although httpd -t ends with the first',
  )
  t.equal(readFileSync(main, 'utf8'), text, 'the file is unchanged')
  const [fix] = await editor.actions(main, 12)
  t.match(fix, { title: 'Replace by Options', edit: { changes: {} } })
  t.strictSame(Object.values(fix?.edit?.changes ?? {}).flat(), [
    { range: { start: { line: 12, character: 2 }, end: { line: 12, character: 8 } }, newText: 'Options' },
  ])

  await editor.change(main, text)
  const lint = await editor.until(
    main,
    (all) => all.some(({ code }) => code === 'GW010') && all.every(({ source }) => source !== 'httpd -t'),
  )
  const [first] = lint.filter(({ code }) => code === 'GW010')
  t.match(first, { source: 'gatewright lint', message: /hint: / })
  const titles = (await editor.actions(main, first?.range.start.line ?? 0)).map(({ title }) => title)
  t.ok(titles.includes('Silence GW010 here'), titles.join())

  const allow = text.split('\n').findIndex((line) => line.includes('Allow from'))
  const section = (await editor.actions(main, allow)).find(({ title }) => title.includes('this section'))
  if (section === undefined) return t.fail('no migration is offered')
  t.equal(section.edit, undefined, 'computed when it is chosen')
  const { edit } = await editor.resolveAction(section)
  t.strictSame(Object.values(edit?.changes ?? {}).flat(), [
    {
      range: { start: { line: allow - 1, character: 0 }, end: { line: allow + 1, character: 0 } },
      newText: '  Require ip 127.0.0.1\n',
    },
  ])
})

t.test('a session: the lens answers who gets access to a section', async (t) => {
  const { root, main, text } = tree(t)
  const editor = await started(t, root)
  await editor.open(main, text)
  const lenses = await editor.lenses(main)
  t.strictSame(
    lenses.map(({ command }) => command?.title),
    Array(3).fill('Who can get here?'),
  )
  const docs = lenses[1]?.command
  const table = await editor.execute(docs?.command ?? '', docs?.arguments ?? [])
  t.match(table, /^GET \/gatewright-sample|^GET \//)
  t.match(table, /without credentials +403 +\d+/)
  t.match(editor.messages.at(-1), /without credentials/, 'an editor without a view of its own shows a message')

  const access = join(root, 'docs/.htaccess')
  await editor.open(access, 'AuthType Basic\nAuthName x\nAuthUserFile /nowhere\nRequire valid-user\n')
  const [top] = await editor.lenses(access)
  t.match(await editor.execute(top?.command?.command ?? '', top?.command?.arguments ?? []), /401/, 'the unsaved file counts')
})

t.test('a configuration of 2.2 is read as far as possible, and each removed line is marked', async (t) => {
  const root = t.testdir()
  const main = join(root, 'httpd.conf')
  const text = `ServerName localhost\nListen 8080\nLockFile logs/accept.lock\n<Directory ${root}>\n  Order deny,allow\n  Deny from all\n  Allow from 10.0.0.0/8\n</Directory>\n`
  writeFileSync(main, text)
  const editor = await started(t, root)
  await editor.open(main, text)
  const lines = new Set((await editor.until(main, (all) => all.length > 0)).map(({ range }) => range.start.line + 1))
  t.notOk(lines.has(6) || lines.has(7) || lines.has(8), 'mod_access_compat reads the old rules')
  const actions = await editor.actions(main, 6)
  const file = actions.find(({ title }) => title.includes('this file'))
  if (file === undefined) return t.fail('no migration is offered')
  const { edit } = await editor.resolveAction(file)
  const texts = Object.values(edit?.changes ?? {})
    .flat()
    .map(({ newText }) => newText)
  t.ok(texts.join('').includes('Require ip 10.0.0.0/8'), texts.join())
})

t.test('nothing that a configuration names is executed or written', async (t) => {
  const root = t.testdir()
  const main = join(root, 'httpd.conf')
  const mark = join(root, 'executed')
  const program = join(root, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\necho secret\n`, { mode: 0o755 })
  const module = readFileSync(join(MODULES, 'mod_alias.mjs'), 'utf8')
  writeFileSync(join(root, 'mod_alias.mjs'), module)
  writeFileSync(join(root, 'evil.mjs'), `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\n`)
  symlinkSync(join(root, 'evil.mjs'), join(root, 'mod_evil.mjs'))
  const text = [
    'ServerName localhost',
    'Listen 8080',
    `LoadModule evil_module ${root}/mod_evil.mjs`,
    `ErrorLog "|${program}"`,
    `CustomLog "|${program}" common`,
    `<Location />`,
    `AuthLDAPBindPassword "exec:${program}"`,
    `</Location>`,
    `SessionCryptoPassphrase exec:${program}`,
    `SSLPassPhraseDialog exec:${program}`,
    'RewriteEngine On',
    `RewriteMap asked prg:${program}`,
    'RewriteRule ^/(.*) /${asked:$1}',
    `PidFile ${root}/pid`,
    '',
  ].join('\n')
  const editor = await started(t, root)
  await editor.open(main, text)
  const found = await editor.until(main, (all) =>
    all.some(({ message }) => String(message).includes('not a module of this installation')),
  )
  t.equal(found.find(({ range }) => range.start.line === 2)?.severity, 1)
  await editor.change(main, text.replace(/^LoadModule.*$/m, ''))
  await editor.until(main, (all) => all.every(({ range }) => range.start.line !== 2))
  const lens = (await editor.lenses(main))[0]?.command
  await editor.execute(lens?.command ?? '', lens?.arguments ?? [])
  t.notOk(existsSync(mark), 'no program and no module was executed')
  t.notOk(existsSync(join(root, 'pid')))
})

t.test('hostile documents end neither the server nor its answers', async (t) => {
  const root = t.testdir()
  const editor = await started(t, root, false)
  const documents: Readonly<Record<string, string>> = {
    'long.conf': `ServerName ${'x'.repeat(1_000_000)}\nRequire ${'"'.repeat(100_000)}\n`,
    'open.conf': '<Directory /x>\n'.repeat(5000),
    'closed.conf': '</Directory>\n'.repeat(5000),
    'mixed.conf': '<A>\n</B>\n<If "'.repeat(5000),
    'binary.conf': Array.from({ length: 50_000 }, (_, index) => String.fromCharCode((index * 7919) % 65_536)).join(''),
    'continued.conf': 'Require \\\n'.repeat(20_000),
    'lines.conf': '<Location /a>\n  Require all granted\n</Location>\n'.repeat(16_667),
    'globs.conf': `Include ${'/*'.repeat(40)}\nInclude /**/**/**\nInclude [\nDefine \${A} \${A}\n`,
    '.htaccess': '\0'.repeat(1000),
  }
  for (const [name, text] of Object.entries(documents)) {
    const path = join(root, name)
    await editor.open(path, text)
    const last = text.split('\n').length - 1
    for (const [line, character] of [
      [0, 3],
      [0, 9_000_000],
      [last, 0],
      [last + 10, 5],
    ]) {
      await editor.complete(path, line, character)
      await editor.hover(path, line, character)
      await editor.definition(path, line, character)
      await editor.actions(path, line)
    }
    await editor.definition(path, 1, 12)
    await editor.symbols(path)
    await editor.folding(path)
    await editor.lenses(path)
  }
  const lines = join(root, 'lines.conf')
  for (let turn = 0; turn < 1000; turn++) {
    const at = { line: (turn * 37) % 50_000, character: 0 }
    await editor.change(lines, turn % 2 === 0 ? 'Options ' : '', {
      start: at,
      end: turn % 2 === 0 ? at : { ...at, character: 1 },
    })
  }
  t.ok((await editor.complete(lines, 4, 2)).some(({ label }) => label === 'Require'))
  t.equal(editor.exit, null)
  t.equal(await editor.close(), 0, 'it ends when it is asked to')
})

t.test('an editor that is gone ends the server', async (t) => {
  const child = startServer(PROGRAM)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stdin.end()
  t.equal(await ended, 0)
  t.ok(dirname(PROGRAM).endsWith('bin'))
})
