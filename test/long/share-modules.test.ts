import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import t, { type Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { InstalledServer } from '../fixtures/installed-server.ts'
import type { Run } from '../fixtures/staged-server.ts'

/** A module that answers with the content of a file, and whose scripts, which nobody may run, leave witnesses. */
class Shared {
  readonly server: InstalledServer
  readonly home: string
  readonly folder: string

  constructor(t: Test) {
    this.server = new InstalledServer(t)
    this.home = this.server.makeFolder('work')
    this.folder = join(this.home, 'teller')
  }

  apxs(args: readonly string[], cwd = this.home): Promise<Run> {
    return this.server.run('env', ['npm_config_offline=true', 'apxs', ...args], { cwd })
  }

  async make(t: Test): Promise<void> {
    t.equal((await this.apxs(['-g', '-n', 'teller'])).status, 0)
    this.edit('src/index.ts', (text) =>
      `import { readFileSync } from 'node:fs'\n${text}`
        .replace("source: 'mod_teller.c',", "source: 'mod_teller.c',\n  capabilities: ['fs'],")
        .replace("'The sample page of mod_teller'", "readFileSync('/proc/self/comm', 'latin1')"),
    )
    const witness = (name: string): string => `touch ${JSON.stringify(join(this.home, 'witness'))}-${name}`
    this.edit('package.json', (text) => {
      const scripts = Object.fromEntries(
        ['preinstall', 'install', 'postinstall', 'prepare', 'prepack'].map((name) => [name, witness(name)]),
      )
      return JSON.stringify({ ...JSON.parse(text), scripts })
    })
  }

  edit(name: string, change: (text: string) => string): void {
    const file = join(this.folder, name)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  }

  async pack(t: Test): Promise<string> {
    const { status, stdout, stderr } = await this.server.run('npm', ['pack', '--ignore-scripts', '--offline'], {
      cwd: this.folder,
    })
    t.equal(status, 0, stderr.join('\n'))
    return join(this.folder, stdout.at(-1) ?? '')
  }

  witnesses(): readonly string[] {
    return ['preinstall', 'install', 'postinstall', 'prepare', 'prepack'].filter((name) =>
      existsSync(join(this.home, `witness-${name}`)),
    )
  }

  installed(ending = ''): string {
    return this.server.path(`modules/mod_teller.mjs${ending}`)
  }

  configuration(): string {
    return readFileSync(this.server.path('conf/httpd.conf'), 'utf8')
  }
}

t.test(
  'a package of a module is installed from its sources or its built file, activated and served; none of its scripts runs',
  async (t) => {
    const shared = new Shared(t)
    await shared.make(t)
    for (const kind of ['sources', 'built']) {
      if (kind === 'built') t.equal((await shared.apxs(['-c'], shared.folder)).status, 0)
      const tarball = await shared.pack(t)
      const refused = await shared.apxs(['-i', tarball])
      t.equal(refused.status, 1, kind)
      const text = refused.stderr.join('\n')
      t.match(text, `mod_teller 0.1.0: teller_module, source mod_teller.c, built against API ${API_VERSION}`)
      t.match(text, 'capabilities: it declares fs; this is information, not a sandbox')
      t.match(text, `hint: if the module may have them: apxs -i --allow=fs ${tarball}`)
      t.equal(text.includes('building mod_teller 0.1.0 from its sources'), kind === 'sources')
      t.notOk(existsSync(shared.installed()), 'nothing is installed')
      t.notMatch(shared.configuration(), 'teller_module')
      const { status, stderr } = await shared.apxs(['-i', '--allow=fs', tarball])
      t.equal(status, 0, stderr.join('\n'))
      t.match(shared.configuration(), /^LoadModule teller_module +modules\/mod_teller\.mjs$/m)
      t.strictSame(shared.witnesses(), [])
      const port = await freePort()
      const lines = '<Location "/teller">\nSetHandler teller\nRequire all granted\n</Location>'
      const started = await shared.server.run('httpd', ['-C', `Define GATEWRIGHT_PORT ${port}`, '-c', lines])
      t.equal(started.status, 0, started.stderr.join('\n'))
      t.match(await (await fetch(`http://127.0.0.1:${port}/teller`)).text(), /\S/)
      t.equal((await shared.server.run('httpd', ['-k', 'stop'])).status, 0)
      const dump = await shared.server.run('httpd', ['-t', '-D', 'DUMP_CAPABILITIES'])
      t.ok(dump.stdout.includes(' teller_module fs'))
      rmSync(shared.installed())
      writeFileSync(shared.server.path('conf/httpd.conf'), shared.configuration().replace(/^LoadModule teller_module.*\n/m, ''))
    }
  },
)

t.test('a folder is installed as well, with -A commented; packages that are none are refused', async (t) => {
  const shared = new Shared(t)
  await shared.make(t)
  t.equal((await shared.apxs(['-i', '-A', '--allow=all', './teller'])).status, 0)
  t.match(shared.configuration(), /^#LoadModule teller_module/m)
  shared.edit('package.json', (text) => text.replace('gatewright-module', 'other'))
  const { status, stderr } = await shared.apxs(['-i', '--allow=all', './teller'])
  t.match(
    [status, ...stderr.slice(-2)],
    [1, /mod_teller 0\.1\.0 is not a module of this server\.$/, /^hint: packages of modules have the keyword gatewright-module/],
  )
  const none = await shared.apxs(['-i', 'gatewright-no-such-module'])
  t.match([none.status, none.stderr[1]], [1, 'apxs:Error: npm could not provide gatewright-no-such-module.'])
  for (const spec of ['git+https://example.com/x.git', 'https://example.com/x.tgz', 'a/b'])
    t.match((await shared.apxs(['-i', spec])).stderr[0], /^apxs:Error: Cannot load .*No such file or directory/, spec)
})

t.test('a built file whose stamp conceals what it uses, or of another API, is not installed', async (t) => {
  const shared = new Shared(t)
  await shared.make(t)
  t.equal((await shared.apxs(['-c'], shared.folder)).status, 0)
  rmSync(join(shared.folder, 'src'), { recursive: true })
  const built = readFileSync(join(shared.folder, 'mod_teller.mjs'), 'utf8')
  for (const [from, to, reason] of [
    ['"capabilities":["fs"]', '"capabilities":[]', /teller_module uses node:fs, but its stamp does not declare fs/],
    [`"api":"${API_VERSION}"`, '"api":"2.4.99"', /found 20120211:99/],
  ] as const) {
    shared.edit('mod_teller.mjs', () => built.replace(from, to))
    const { status, stderr } = await shared.apxs(['-i', '--allow=all', './teller'])
    t.equal(status, 1)
    t.match(stderr.join('\n'), reason)
    t.notOk(existsSync(shared.installed()))
  }
})

t.test(
  'with ModuleSignedBy the server starts with signed modules only, and apxs signs, carries and removes signatures',
  async (t) => {
    const shared = new Shared(t)
    await shared.make(t)
    t.equal((await shared.apxs(['-c'], shared.folder)).status, 0)
    const made = await shared.apxs(['--new-key', 'vendor'])
    t.match(made.stdout, [/^ModuleSignedBy ed25519:[A-Za-z0-9+/]{43}=$/])
    t.match((await shared.apxs(['--new-key', 'vendor'])).stderr[0], /vendor\.key already exists/)
    t.equal((await shared.apxs(['--sign', '../vendor.key', 'mod_teller.mjs'], shared.folder)).status, 0)
    const tarball = await shared.pack(t)
    t.equal((await shared.apxs(['-i', '--allow=fs', tarball])).status, 0)
    t.ok(existsSync(shared.installed('.sig')), 'the signature is installed with the module')
    const check = (): Promise<Run> => shared.server.run('httpd', ['-t', '-C', made.stdout[0]])
    t.match(await check(), { status: 0, stderr: ['Syntax OK'] })
    const alias = shared.server.path('modules/mod_alias.mjs')
    const ownShown = await shared.server.run('gatewright', ['module', alias])
    t.match(ownShown.stdout.join('\n'), /^ {2}signed by {3}nobody: it came with this server, and needs no signature$/m)
    const shown = await shared.server.run('gatewright', ['module', shared.installed()])
    t.match(shown.stdout.join('\n'), `signed by   ${made.stdout[0].slice('ModuleSignedBy '.length)}\n`)
    writeFileSync(join(shared.home, 'other.txt'), '')
    t.match((await shared.apxs(['--sign', 'vendor.key', 'other.txt'])).stderr[0], /other\.txt is not a built module/)
    t.match((await shared.apxs(['--sign', 'vendor.pub', shared.installed()])).stderr[0], /cannot use vendor\.pub as a key/)
    rmSync(join(shared.folder, 'mod_teller.mjs.sig'))
    t.equal((await shared.apxs(['-i', 'teller/mod_teller.mjs'])).status, 0)
    t.notOk(existsSync(shared.installed('.sig')), 'the signature of the former file is gone')
    const refused = await check()
    t.equal(refused.status, 1)
    t.match(
      refused.stderr[0],
      /^httpd: Syntax error on line \d+ of \S.*httpd\.conf: Cannot load modules\/mod_teller\.mjs into server: .*it is not signed/,
    )
    t.match(refused.stderr[1], /^hint: .*apxs --sign KEY /)
  },
)

t.test('with ModuleSignedBy, modules that came with the server need no signature as long as they are unchanged', async (t) => {
  const shared = new Shared(t)
  const made = await shared.apxs(['--new-key', 'vendor'])
  const check = (): Promise<Run> => shared.server.run('httpd', ['-t', '-C', made.stdout[0]])
  t.match(await check(), { status: 0, stderr: ['Syntax OK'] })
  const alias = shared.server.path('modules/mod_alias.mjs')
  // Even with a right stamp: anybody can make one.
  const [stamp, ...lines] = readFileSync(alias, 'utf8').split('\n')
  const rest = `globalThis.changed = 1\n${lines.join('\n')}`
  const digest = createHash('sha256').update(rest).digest('hex')
  // The files are links to the staged ones, which must not change.
  rmSync(alias)
  writeFileSync(alias, `${stamp.replace(/"digest":"\w+"/, `"digest":"${digest}"`)}\n${rest}`)
  t.match(await check(), { status: 1, stderr: [/mod_alias\.mjs: it is not signed, and ModuleSignedBy is in force/] })
  t.equal((await shared.apxs(['--sign', 'vendor.key', alias])).status, 0)
  t.match(await check(), { status: 0, stderr: ['Syntax OK'] })
  rmSync(shared.server.path('lib/gatewright-own-modules.json'))
  t.match(await check(), { status: 1 }, 'without the list, nothing is known to have come with the server')
})

t.test('no stamp, manifest or signature brings control characters to a terminal', async (t) => {
  const shared = new Shared(t)
  const ESC = '\u001b[31m\u0007'
  const rest = 'export default 1\n'
  const digest = createHash('sha256').update(rest).digest('hex')
  const stamp = { cookie: 'AP24', api: API_VERSION, magic: 20120211, module: 'evil_module', source: 'mod_evil.c', digest }
  const contents = { directives: [], hooks: [], providers: [], more: [] }
  const stamps: readonly object[] = [
    ...Object.keys(stamp)
      .filter((key) => key !== 'magic')
      .map((key) => ({ ...stamp, [key]: `evil${ESC}_module` })),
    { ...stamp, cookie: `AP22`, api: `2.2.${ESC}` },
    { ...stamp, [`x${ESC}`]: ESC },
    ...['directives', 'hooks', 'providers', 'more'].map((list) => ({ ...stamp, contents: { ...contents, [list]: [ESC] } })),
    { ...stamp, capabilities: [ESC] },
    { ...stamp, magic: ESC },
  ]
  const folder = join(shared.home, 'evil')
  mkdirSync(folder)
  const file = join(folder, 'mod_evil.mjs')
  const outputs: string[] = []
  const see = async (run: Promise<Run>): Promise<void> => {
    const { stdout, stderr } = await run
    outputs.push([...stdout, ...stderr].join('\n'))
  }
  const manifest = { name: 'mod_evil', version: '1.0.0', keywords: ['gatewright-module'], main: 'mod_evil.mjs' }
  const configuration = join(shared.home, 'evil.conf')
  writeFileSync(configuration, `ServerName localhost\nLoadModule other_module "${file}"\nDocumentRoot "${shared.home}"\n`)
  for (const [index, each] of stamps.entries()) {
    // JSON escapes control characters, and a raw one is no JSON: both are tried.
    const text = JSON.stringify(each)
    writeFileSync(file, `//! gatewright-module ${index % 2 === 0 ? text : text.replaceAll('\\u001b', '\u001b')}\n${rest}`)
    writeFileSync(`${file}.sig`, `ed25519:${ESC} ${ESC}\n`)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, description: ESC }))
    await see(shared.server.run('gatewright', ['module', file]))
    await see(shared.server.run('gatewright', ['module', '--json', file]))
    await see(shared.apxs(['-i', file]))
    await see(shared.apxs(['-e', '-A', file]))
    await see(shared.server.run('httpd', ['-t', '-f', configuration]))
    if (index % 4 === 0) await see(shared.apxs(['-i', './evil']))
  }
  await see(shared.server.run('gatewright', ['upgrade-report', configuration]))
  for (const changed of [{ name: `mod_evil${ESC}` }, { version: `1.0.0-${ESC}` }, { keywords: [ESC] }, { main: `${ESC}.mjs` }]) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changed }))
    await see(shared.apxs(['-i', './evil']))
  }
  t.ok(outputs.length > stamps.length * 5)
  for (const text of outputs) t.notMatch(text, /[\x00-\x08\x0b-\x1f\x7f]/)
})
