import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { gatewright } from '../fixtures/gatewright.ts'
import { schemaErrors } from '../fixtures/json-schema.ts'
import { oldServer } from '../fixtures/old-server.ts'

const SCHEMA: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../packages/policy/schema/upgrade-report.schema.json'), 'utf8'),
)

interface Finding {
  readonly kind: string
  readonly weight: string
  readonly place: { readonly file: string; readonly line: number } | null
  readonly subject: string
  readonly text: string
  readonly instead: readonly string[] | null
  readonly by: string | null
}

interface Report {
  readonly verdict: string
  readonly origin: { readonly line: string }
  readonly compat: { readonly now: boolean; readonly afterMigration: boolean }
  readonly steps: readonly { readonly command: string | null }[]
  readonly findings: readonly Finding[]
  readonly files: readonly string[]
}

/** A report as data, which is as the schema has it. */
async function report(t: Test, path: string, ...options: readonly string[]): Promise<Report> {
  const { status, stdout, stderr } = await gatewright(['upgrade-report', '--json', ...options, path])
  const data: Report = JSON.parse(stdout)
  t.equal(stderr, '')
  t.strictSame(schemaErrors(SCHEMA, data), [])
  t.equal(status, data.verdict === 'ready' ? 0 : 1)
  return data
}

/** The finding about the line that begins with `subject`. */
function said({ findings }: Report, subject: string): Finding | undefined {
  return findings.find((finding) => finding.subject.startsWith(subject))
}

t.test('a server of 2.2 as on Red Hat: everything between it and 2.4 is reported, with includes', async (t) => {
  const root = oldServer(t, 'redhat')
  const file = join(root, 'conf/httpd.conf')
  const before = statSync(file).mtimeMs
  const told = await report(t, file)
  t.equal(statSync(file).mtimeMs, before, 'nothing is changed')
  t.match(told, { verdict: 'needs work', origin: { line: '2.2' }, compat: { now: true, afterMigration: true } })
  t.match(said(told, 'AuthzUserAuthoritative'), { place: { file: join(root, 'conf.d/app.conf'), line: 8 }, by: 'migrate' })
  t.match(said(told, 'RewriteLogLevel'), { weight: 'must', instead: ['LogLevel rewrite:trace2'] })
  t.match(said(told, 'Include vhosts.d'), { weight: 'must', instead: ['IncludeOptional vhosts.d/*.conf'], by: 'hand' })
  t.match(said(told, 'AddOutputFilterByType'), { instead: [/^LoadModule filter_module /, /^AddOutputFilterByType/] })
  t.match(said(told, 'LoadModule proxy_ftp_module'), { weight: 'must', text: /is not provided by this server/ })
  t.match(said(told, 'LoadModule log_config_module'), { weight: 'must', text: /part of this server/, instead: [] })
  t.match(said(told, 'LoadModule greeting_module'), {
    weight: 'must',
    text: /apxs/,
    place: { file: join(root, 'conf.d/app.conf') },
  })
  t.match(said(told, 'LoadModule alias_module'), { weight: 'know' })
  t.match(said(told, 'LoadModule authn_default_module'), { by: 'migrate', text: /was removed/ })
  t.match(said(told, 'authz_core_module'), { by: 'migrate', text: /missing/ })
  t.match(said(told, '<IfModule prefork.c>'), { kind: 'default', weight: 'look' })
  t.match(said(told, 'CustomLog'), { kind: 'default', instead: [/\|\$/] })
  t.match(said(told, 'Timeout'), { kind: 'default', instead: ['Timeout 300'] })
  t.match(said(told, `<Directory "${root}/app">`), { kind: 'access', by: 'migrate' })
  t.match(said(told, 'Order deny,allow; Deny from all; Allow from 192.0.2.0/24'), {
    kind: 'access',
    by: 'hand',
    text: /no request reads this file/,
  })
  t.match(said(told, 'mod_mem_cache'), { kind: 'option', place: { file: join(root, 'build/config.nice') } })
  t.match(said(told, '--with-mpm=prefork'), { kind: 'option', weight: 'know' })
  t.match(said(told, '--with-ssl'), { kind: 'option', text: 'without effect here' })
})

t.test('a server of 2.2 as on Debian', async (t) => {
  const root = oldServer(t, 'debian')
  const told = await report(t, join(root, 'apache2.conf'))
  t.match(told, { verdict: 'needs work', origin: { line: '2.2' } })
  t.ok(told.files.includes(join(root, 'sites-enabled/two')))
  t.match(said(told, 'LockFile'), { weight: 'must', place: { line: 3 }, by: 'migrate' })
  t.match(said(told, 'NameVirtualHost'), { weight: 'look', place: { file: join(root, 'ports.conf'), line: 1 } })
  t.match(said(told, 'LoadModule cgi_module'), { weight: 'know', place: { file: join(root, 'mods-enabled/cgi.load'), line: 1 } })
  t.match(said(told, '<VirtualHost *:8089>'), { kind: 'default', place: { file: join(root, 'sites-enabled/two'), line: 5 } })
  t.match(said(told, 'AllowOverride'), { weight: 'must', place: { file: join(root, 'two/.htaccess') } })
  t.match(said(told, 'RequestReadTimeout'), { kind: 'default' })
  t.equal(said(told, 'Timeout'), undefined, 'it is said')
  t.equal(said(told, 'DefaultType'), undefined, 'None is what 2.4 has')
})

t.test('the rules that migrate leaves are those in the report', async (t) => {
  const root = oldServer(t, 'debian')
  const file = join(root, 'apache2.conf')
  const before = await report(t, file)
  t.ok(before.steps.some(({ command }) => command === `gatewright migrate --in-place ${file}`))
  const { status, stderr } = await gatewright(['migrate', '--in-place', '--limit', '0', file])
  t.equal(status, 0, stderr)
  const after = await report(t, file)
  t.equal(after.origin.line, '2.4')
  t.strictSame(
    after.findings.filter(({ by }) => by === 'migrate'),
    [],
  )
  const byHand = ({ findings }: Report): string[] =>
    findings.filter(({ by, kind }) => by === 'hand' && kind !== 'default').map(({ subject }) => subject)
  t.strictSame(byHand(after), byHand(before))
})

t.test('without a path the report is about the configuration of this installation', async (t) => {
  const { stdout } = await gatewright(['upgrade-report', '--json'])
  const told: Report = JSON.parse(stdout)
  t.equal(told.origin.line, '2.4')
  t.match(
    told.findings.filter(({ weight }) => weight !== 'know').map(({ place }) => place?.file),
    [/extra\/old-style\.conf$/],
    'only the sample of the old dialect',
  )
})

t.test('a configuration of 2.4 is ready, and a page is written beside the text', async (t) => {
  const root = t.testdir({ docs: {} })
  const file = join(root, 'httpd.conf')
  const modules = ['authz_core', 'authz_host'].map((name) => `LoadModule ${name}_module modules/mod_${name}.so`)
  const lines = [...modules, 'Listen 8099', `<Directory "${root}/docs">`, 'Require ip 10.0.0.0/8', '</Directory>']
  writeFileSync(file, `${lines.join('\n')}\n`)
  const page = join(root, 'report.html')
  const { status, stdout } = await gatewright(['upgrade-report', '--html', page, file])
  t.match(readFileSync(page, 'utf8'), /^<!DOCTYPE html>[\s\S]*<h1>Upgrade report<\/h1>[\s\S]*<\/html>\n$/)
  t.match(stdout, /\nReady for 2\.4: no changes are necessary\.\nWritten for 2\.4 /)
  t.equal(status, 0)
})

t.test('a folder of .htaccess files', async (t) => {
  const root = t.testdir({ '.htaccess': 'Order allow,deny\nAllow from all\n', sub: { '.htaccess': 'DefaultType text/css\n' } })
  const told = await report(t, root)
  t.match(
    told.findings.map(({ kind, place, by }) => ({ kind, file: place?.file, by })),
    [
      { kind: 'directive', file: join(root, 'sub/.htaccess'), by: 'migrate' },
      { kind: 'access', file: join(root, '.htaccess'), by: 'migrate' },
    ],
  )
})

t.test('the line of httpd and config.nice can be specified', async (t) => {
  const root = oldServer(t, 'debian')
  const file = join(root, 'apache2.conf')
  const nice = join(oldServer(t, 'redhat'), 'build/config.nice')
  const told = await report(t, file, '--config-nice', nice, '--from', '2.4')
  t.notOk(told.findings.some(({ kind }) => kind === 'default'))
  t.match(said(told, 'mod_proxy_ftp'), { kind: 'option', weight: 'know', place: { file: nice } })
  writeFileSync(join(root, 'not.nice'), 'rm -rf x\n')
  const wrong = await report(t, file, '--config-nice', join(root, 'not.nice'))
  t.match(said(wrong, 'config.nice'), { kind: 'option', weight: 'look', text: /not what configure writes/ })
})

t.test('an impossible request is reported, with status 2', async (t) => {
  t.match(await gatewright(['upgrade-report', join(t.testdir({}), 'none')]), {
    status: 2,
    stdout: '',
    stderr: /Could not open configuration file .*none: No such file or directory/,
  })
  t.match(await gatewright(['upgrade-report', '--from', '1.3']), { status: 2, stderr: /2\.2 or 2\.4, not 1\.3/ })
  t.match(await gatewright(['upgrade-report', 'a', 'b']), { status: 2, stderr: /one configuration file/ })
  t.match(await gatewright(['upgrade-report', '--color', 'pink']), { status: 2, stderr: /--color takes/ })
})

t.test('a configuration that no server loads is reported as far as possible', async (t) => {
  const root = t.testdir({ conf: {} })
  const file = join(root, 'conf/httpd.conf')
  const lines: readonly (readonly [line: string, text: RegExp])[] = [
    ['KeepAlive perhaps', /KeepAlive/],
    ['Include missing.conf', /No such file/],
    [`Include ${file}`, /recursion/],
    ['</Location>', /without matching/],
    ['<Directory />', /was not closed/],
  ]
  writeFileSync(file, lines.map(([line]) => `${line}\n`).join(''))
  const told = await report(t, file)
  for (const [index, [line, text]] of lines.entries())
    t.match(said(told, line), { weight: 'must', place: { file, line: index + 1 }, text, by: 'hand' })
})
