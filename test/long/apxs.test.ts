import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { checkSources, readModuleFile } from '@gatewright/module-kit'
import t from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { InstalledServer } from '../fixtures/installed-server.ts'
import type { Run } from '../fixtures/staged-server.ts'

const FAILED = ['apxs:Error: Command failed with rc=65536', '.']
const NOBODY = 65534

t.test('in an installed server', async (t) => {
  const server = new InstalledServer(t)
  const apxs = (args: readonly string[], cwd?: string): Promise<Run> => server.run('apxs', args, { cwd })
  const home = server.makeFolder('work')
  await apxs(['-g', '-n', 'two_words'], home)
  const twoWords = join(home, 'two_words')

  t.test('a name with two words becomes one module, one directive and a range of API versions', async (t) => {
    t.match(
      readFileSync(join(twoWords, 'src/index.ts'), 'utf8'),
      /name: 'two_words_module',\n {2}source: 'mod_two_words.c'(?:.|\n)*TwoWordsText:/,
    )
    t.match(JSON.parse(readFileSync(join(twoWords, 'package.json'), 'utf8')), {
      name: 'mod_two_words',
      peerDependencies: { '@gatewright/api': `~${API_VERSION}` },
    })
    const left = readdirSync(twoWords, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('node_modules'))
    t.ok(left.includes('two_words.conf') && left.includes('.gitignore') && left.includes('test/two_words.test.ts'), left.join())
    t.ok(left.includes('.vscode/launch.json'), left.join())
    for (const name of left.filter((name) => statSync(join(twoWords, name)).isFile()))
      t.notMatch(readFileSync(join(twoWords, name), 'utf8'), /hello|Hello|@API@/, name)
  })

  t.test('editors find the types of what a generated package and its test import', (t) => {
    t.strictSame(checkSources({ files: [join(twoWords, 'test/two_words.test.ts')] }), [])
    t.end()
  })

  t.test('what exists is not overwritten, and what cannot be a name is refused', async (t) => {
    t.strictSame(await apxs(['-g', '-n', 'two_words'], home), {
      status: 1,
      stdout: [],
      stderr: ["apxs:Error: Directory `two_words' already exists. Remove first."],
    })
    t.match(await apxs(['-g', '-n', '../x'], home), {
      status: 1,
      stderr: ["apxs:Error: `../x' cannot be the name of a module.", /^hint: .*letters/],
    })
  })

  t.test('sources with errors make no file, and each error is shown in its line', async (t) => {
    const source =
      "import { readFileSync } from 'node:fs'\nimport { DECLINED, defineModule } from '@gatewright/api'\n\n" +
      "export default defineModule({\n  name: 'bad_module',\n  source: 'mod_bad.c',\n  register({ hooks }) {\n" +
      "    hooks.handler.add((request) => (request.handlr === readFileSync('x', 'utf8') ? DECLINED : request.respond('x')))\n  },\n})\n"
    writeFileSync(join(home, 'bad.ts'), source)
    const { status, stdout, stderr } = await apxs(['-c', '-i', '-a', 'bad.ts'], home)
    t.equal(status, 1)
    t.strictSame(stdout, [])
    t.match(stderr[1], /^bad\.ts:8:45: error TS2551: Property 'handlr' does not exist on type 'Request'\./)
    t.equal(stderr[2], `    ${source.split('\n')[7]}`)
    t.equal(stderr[3], `${' '.repeat(48)}^`)
    t.strictSame(stderr.slice(-2), FAILED)
    t.notOk(existsSync(join(home, 'mod_bad.mjs')))
    t.notOk(existsSync(server.path('modules/mod_bad.mjs')))
    t.notMatch(readFileSync(server.path('conf/httpd.conf'), 'utf8'), 'bad_module')
  })

  t.test('a single source without any package is compiled in place, with the definitions of -D', async (t) => {
    const source =
      "import { DECLINED, defineModule, type Module } from '@gatewright/api'\ndeclare const TEXT: string\n" +
      "const module: Module = defineModule({\n  name: 'one_module',\n  source: 'mod_one.c',\n  register({ hooks }) {\n" +
      "    hooks.handler.add((request) => (request.handler === 'one' ? request.send('text/plain', TEXT) : DECLINED))\n  },\n})\nexport default module\n"
    writeFileSync(join(home, 'mod_one.ts'), source)
    const { status, stderr } = await apxs(['-c', '-Wc,-O2', '-lm', '-D', 'TEXT=from outside', '-o', 'out.la', 'mod_one.ts'], home)
    t.equal(status, 0, stderr.join('\n'))
    t.strictSame(
      stderr.slice(0, 2),
      ['-Wc,-O2', '-lm'].map((option) => `apxs: ${option} is an option of C compilers and has no effect here`),
    )
    t.match(readFileSync(join(home, 'out.mjs'), 'utf8'), '"from outside"')
    t.match(readModuleFile(join(home, 'out.mjs')), { stamp: { module: 'one_module', api: API_VERSION }, intact: true })
    t.match(await apxs(['-c', 'mod_one.c'], home), {
      status: 1,
      stderr: [/mod_one\.c is not a source/, /^hint: .*UPGRADING\.md/],
    })
  })

  t.test('a module that imports from every entry of the API is checked, built, installed and runs', async (t) => {
    const source = `import { DECLINED, defineModule, escapeHtml, type Module } from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { parseStamp } from '@gatewright/api/stamp'
import { STATUS_CLASSES } from '@gatewright/api/status'
import { escapeHtml as fromText, html } from '@gatewright/api/text'
import type { DecisionStep } from '@gatewright/api/tracing'

const steps: readonly DecisionStep[] = []
const module: Module = defineModule({
  name: 'entries_module',
  source: 'mod_entries.c',
  register({ functions, hooks }) {
    hooks.handler.add((request) => {
      if (request.handler !== 'entries') return DECLINED
      const facts = [functions.get(authTypeOf)?.(request) ?? null, parseStamp('') ?? null, STATUS_CLASSES.length, steps.length, fromText === escapeHtml]
      return request.send('text/html', String(html\`<p>\${JSON.stringify(facts)}</p>\`))
    })
  },
})
export default module
`
    writeFileSync(join(home, 'mod_entries.ts'), source)
    const { status, stdout, stderr } = await apxs(['-c', '-i', '-a', 'mod_entries.ts'], home)
    t.equal(status, 0, [...stdout, ...stderr].join('\n'))
    t.equal(readFileSync(join(home, 'mod_entries.mjs'), 'utf8').match(/function escapeHtml\b/g)?.length, 1)
    const port = await freePort()
    const directives = '<Location "/entries">\nSetHandler entries\nRequire all granted\n</Location>'
    t.teardown(() => server.run('httpd', ['-k', 'stop']))
    const started = await server.run('httpd', ['-C', `Define GATEWRIGHT_PORT ${port}`, '-c', directives])
    t.equal(started.status, 0, started.stderr.join('\n'))
    t.equal(await (await fetch(`http://127.0.0.1:${port}/entries`)).text(), '<p>[null,null,5,0,true]</p>')
    const unknown = source.replace('@gatewright/api/peers', '@gatewright/api/piers')
    writeFileSync(join(home, 'mod_entries.ts'), unknown)
    t.match((await apxs(['-c', 'mod_entries.ts'], home)).stderr.join('\n'), /error TS2307: .*'@gatewright\/api\/piers'/)
  })

  t.test('-e edits the configuration without the file; -A disables the line, -a enables it', async (t) => {
    const configuration = server.path('conf/httpd.conf')
    const before = readFileSync(configuration, 'utf8')
    const line = 'LoadModule packaged_module    modules/mod_packaged.mjs'
    t.match(await apxs(['-e', '-A', '-n', 'packaged', 'lib/mod_packaged.so']), {
      status: 0,
      stderr: [`[preparing module \`packaged' in ${configuration}]`],
    })
    t.match(readFileSync(configuration, 'utf8'), `\n#${line}\n`)
    t.equal(readFileSync(`${configuration}.bak`, 'utf8'), before)
    t.match(await apxs(['-e', '-a', 'mod_packaged.mjs']), {
      status: 0,
      stderr: [`[activating module \`packaged' in ${configuration}]`],
    })
    t.equal(
      readFileSync(configuration, 'utf8')
        .split('\n')
        .filter((each) => each.includes('packaged'))
        .join(),
      line,
    )
    t.match(await apxs(['-e', '-a', 'something.so']), {
      status: 1,
      stderr: ['apxs:Error: Sorry, cannot determine bootstrap symbol name.', "apxs:Error: Please specify one with option `-n'."],
    })
  })

  t.test("a configuration that is missing or has no LoadModule line is reported with the message of httpd's apxs", async (t) => {
    const folder = server.makeFolder('etc')
    const edit = (): Promise<Run> => apxs(['-e', '-a', '-S', `SYSCONFDIR=${folder}`, '-n', 'x', 'mod_x.so'])
    t.match(await edit(), { status: 1, stderr: [`apxs:Error: Config file ${folder}/httpd.conf not found.`] })
    writeFileSync(join(folder, 'httpd.conf'), 'Listen 80\n')
    t.strictSame((await edit()).stderr, [
      `apxs:Error: Activation failed for custom ${folder}/httpd.conf file..`,
      "apxs:Error: At least one `LoadModule' directive already has to exist..",
    ])
    t.strictSame(readdirSync(folder), ['httpd.conf'])
  })

  t.test("with Debian's layout of the configuration, the module gets a separate file", async (t) => {
    const folder = server.makeFolder('debian')
    for (const name of ['mods-available', 'mods-enabled']) mkdirSync(join(folder, name))
    const edit = (...options: string[]): Promise<Run> => apxs(['-e', ...options, '-S', `SYSCONFDIR=${folder}`, 'mod_x.so'])
    const file = join(folder, 'mods-available/x.load')
    t.match(await edit('-A'), { status: 0, stderr: [`[preparing module \`x' in ${file}]`] })
    t.equal(readFileSync(file, 'utf8'), `LoadModule x_module           "${server.path('modules/mod_x.mjs')}"\n`)
    t.strictSame(readdirSync(join(folder, 'mods-enabled')), [])
    t.match(await edit('-a'), { status: 0, stderr: [/preparing/, 'Enabling module x.'] })
    t.equal(readFileSync(join(folder, 'mods-enabled/x.load'), 'utf8'), readFileSync(file, 'utf8'))
    t.ok(existsSync(`${file}.bak~`))
  })

  t.test('a file that the server would refuse is not installed', async (t) => {
    writeFileSync(join(home, 'mod_raw.mjs'), 'export default 1\n')
    const { status, stderr } = await apxs(['-i', '-a', 'mod_raw.mjs'], home)
    t.equal(status, 1)
    t.match(stderr[0], /^apxs:Error: Cannot load mod_raw\.mjs into server: .*its first line is not a stamp\.$/)
    t.match(stderr[1], /^hint: /)
    t.strictSame(stderr.slice(-2), FAILED)
    t.notOk(existsSync(server.path('modules/mod_raw.mjs')))
    t.match((await apxs(['-i', 'mod_none.mjs'], home)).stderr[0], /mod_none\.mjs.*No such file or directory/)
  })

  t.test('links to the server that got lost are made again by the next apxs -c', async (t) => {
    rmSync(join(twoWords, 'node_modules/@gatewright/testing'))
    rmSync(join(twoWords, 'node_modules/.bin/node'))
    symlinkSync('/nowhere', join(twoWords, 'node_modules/.bin/node'))
    const { status, stderr } = await apxs(['-c', 'two_words'], home)
    t.equal(status, 0)
    t.strictSame(stderr.slice(0, 2), [
      `Creating [LINK] ${twoWords}/node_modules/@gatewright/testing`,
      `Creating [LINK] ${twoWords}/node_modules/.bin/node`,
    ])
    t.ok(existsSync(join(twoWords, 'node_modules/.bin/node')))
  })

  t.test(
    'a user who may not write to LIBEXECDIR is told so, and what to do',
    { skip: process.geteuid?.() !== 0 && 'only root can be somebody else' },
    async (t) => {
      const { status, stderr } = await server.run('apxs', ['-i', '-a', 'mod_two_words.mjs'], { cwd: home, uid: NOBODY })
      t.equal(status, 1)
      const target = server.path('modules/mod_two_words.mjs')
      t.strictSame(stderr, [
        `installing ${target}`,
        `apxs:Error: cannot write ${target}: Permission denied.`,
        `hint: run apxs as the owner of ${server.path('modules')}, or install elsewhere with -S LIBEXECDIR=FOLDER`,
        ...FAILED,
      ])
      t.strictSame(
        readdirSync(server.path('modules')).filter((name) => name.includes('two_words')),
        [],
      )
    },
  )

  t.test('queries work through a link, and an empty command line prints the usage', async (t) => {
    const link = join(home, 'apxs2')
    symlinkSync(server.path('bin/apxs'), link)
    t.strictSame(await server.run(link, ['-q', 'LIBEXECDIR', 'MPM_NAME']), {
      status: 0,
      stdout: [`${server.path('modules')};;event`],
      stderr: [],
    })
    const { status, stderr } = await apxs(['-c'], home)
    t.strictSame([status, stderr[0], stderr.length], [1, 'Usage: apxs -g [-S <var>=<val>] -n <modname>', 10])
    t.match(stderr[7], /^hint: apxs --dev /)
    t.equal((await apxs(['-S', 'NOPE=1', '-q', 'CC'])).stderr[0], 'apxs:Error: no config variable NOPE')
  })
})
