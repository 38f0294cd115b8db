import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { formatStamp } from '@gatewright/api/stamp'
import { FileSource, TextSource } from '@gatewright/core'
import t, { type Test } from 'tap'
import { PolicyServer, type UpgradeFinding } from '../../src/index.ts'
import { upgrade } from '../../src/migrate/upgrade.ts'
import { ConfigFiles } from '../../src/site/config-files.ts'
import { moduleFindings } from '../../src/upgrade-report/module-findings.ts'
import { programFindings } from '../../src/upgrade-report/program-findings.ts'
import { StandingLines } from '../../src/upgrade-report/standing-lines.ts'

/** The findings about LoadModule lines, by the identifier of the module. */
async function fates(
  t: Test,
  config: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Map<string, UpgradeFinding>> {
  const root = t.testdir({})
  mkdirSync(join(root, 'ours'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
  const configFile = join(root, 'httpd.conf')
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: ['ServerName localhost', 'ErrorLog /dev/null'],
    after: [],
    source: new TextSource(new Map([[configFile, '']]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: [],
    skipDocumentRootCheck: true,
  })
  await server.close()
  const { configuration } = server
  const configFiles = new ConfigFiles(new Map([[configFile, config]]))
  const { changes } = upgrade(configFiles)
  const lines = new StandingLines(configFiles, configuration, (_file, line) => line)
  const found = moduleFindings(lines, { configuration, changes, guarded: [], refused: [], modulesFolder: join(root, 'ours') })
  return new Map(found.map((finding) => [finding.subject.split(' ')[1], finding]))
}

function moduleText(name: string, stamp: { readonly cookie?: string; readonly api?: string } = {}): string {
  const code = 'export default 1\n'
  const digest = createHash('sha256').update(code).digest('hex')
  return (
    formatStamp({
      cookie: MODULE_MAGIC_COOKIE,
      api: API_VERSION,
      magic: MODULE_MAGIC_NUMBER_MAJOR,
      module: `${name}_module`,
      source: `mod_${name}.c`,
      digest,
      ...stamp,
    }) + code
  )
}

t.test("modules are reported with the gate's decision about their files", async (t) => {
  const lines = ['alias', 'ldap', 'shop', 'mine', 'old', 'authz_default', 'mpm_prefork', 'socache_dbm']
  const found = await fates(
    t,
    lines
      .map((name) => `LoadModule ${name}_module modules/mod_${name}.so\n`)
      .join('')
      .replaceAll('modules/', ''),
    {
      'ours/mod_alias.mjs': moduleText('alias'),
      'mod_mine.mjs': moduleText('mine'),
      'mod_old.mjs': moduleText('old', { cookie: 'AP22', api: '2.2.0' }),
    },
  )
  const tell = (name: string): UpgradeFinding | undefined => found.get(`${name}_module`)
  t.match(tell('alias'), { weight: 'know', text: 'provided by this server', by: null })
  t.match(tell('mine'), { weight: 'know', text: new RegExp(`^built for this server: source mod_mine\\.c, API ${API_VERSION}`) })
  t.match(tell('ldap'), { weight: 'must', text: /^mod_ldap is not provided by this server yet/, instead: [], by: 'hand' })
  t.match(tell('shop'), { weight: 'must', text: /apxs.*: Cannot load mod_shop\.so into server: .*No such file/, instead: null })
  t.match(tell('old'), { weight: 'must', text: /is garbled - expected signature 41503234 but saw 41503232/, instead: null })
  t.match(tell('authz_default'), { weight: 'must', text: /was removed/, instead: [], by: 'migrate' })
  t.match(tell('mpm_prefork'), { weight: 'know' })
  t.match(tell('socache_dbm'), { weight: 'know' })
})

t.test('each is reported with its place, unless a guard excludes it', async (t) => {
  const found = await fates(
    t,
    '# one\nLoadModule ldap_module mod_ldap.so\n<IfModule !mod_authz_core.c>\nLoadModule dav_module mod_dav.so\n</IfModule>\n',
  )
  t.match(found.get('ldap_module'), { place: { line: 2 } })
  t.equal(found.get('dav_module'), undefined)
})

t.test('programs whose module is not here are to be closed by hand', async (t) => {
  const root = t.testdir({ docs: { 'index.php': '<?php' } })
  const configFile = join(root, 'httpd.conf')
  const config = `DocumentRoot "${root}/docs"\nSetHandler cgi-script\n`
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: ['ServerName localhost', 'ErrorLog /dev/null'],
    after: [],
    source: new TextSource(new Map([[configFile, config]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: [],
    skipDocumentRootCheck: true,
  })
  await server.close()
  t.match(programFindings(server.configuration), [
    { weight: 'look', place: { file: configFile, line: 2 }, subject: 'SetHandler cgi-script', by: 'hand', text: /mod_cgid/ },
    { weight: 'look', place: { file: `${root}/docs/index.php`, line: 0 }, by: 'hand', text: /their text is sent/ },
  ])
})
