import t from 'tap'
import type { UpgradeFinding, UpgradeReport } from '../../src/index.ts'
import { reportOn, told } from '../support/report-site.ts'

/** Lines of 2.2 that make all defaults irrelevant. */
const SAID =
  'Timeout 120\nDefaultType none\nLimitRequestBody 0\nFileETag MTime\nExtendedStatus Off\nHttpProtocolOptions Strict\nEnableSendfile Off\n'
const OLD = `${SAID}NameVirtualHost *:80\n`

const subjects = (report: UpgradeReport): string[] => told(report, 'default').map(({ subject }) => subject)
const find = (report: UpgradeReport, subject: string): UpgradeFinding | undefined =>
  report.findings.find((finding) => finding.kind === 'default' && finding.subject === subject)

t.test('a configuration that sets everything relies on no default', async (t) => {
  const config = `${OLD}DocumentRoot "@ROOT@/docs"\n<Directory "@ROOT@/docs">\nOptions None\nAllowOverride None\n</Directory>\n`
  const { findings } = await reportOn(t, config)
  t.strictSame(
    findings.filter(({ kind }) => kind === 'default'),
    [],
  )
})

t.test('an unset value whose default changed is reported with the line that keeps it', async (t) => {
  const report = await reportOn(t, 'NameVirtualHost *:80\n')
  t.match(find(report, 'Timeout'), {
    weight: 'look',
    instead: ['Timeout 300'],
    text: /the default was 300 seconds and is now 60 seconds/,
  })
  t.match(find(report, 'DefaultType'), { weight: 'look', text: /the default was text\/plain and is now none/ })
  t.match(find(report, 'LimitRequestBody'), { weight: 'look', instead: ['LimitRequestBody 0'] })
  t.match(find(report, 'FileETag'), { weight: 'know', instead: ['FileETag INode MTime Size'], by: null })
  t.match(find(report, 'EnableSendfile'), { weight: 'know' })
  t.match(find(report, 'HttpProtocolOptions'), { weight: 'know' })
})

t.test('each is reported only if the configuration does not set it', async (t) => {
  for (const line of SAID.trim().split('\n')) {
    const [directive] = line.split(' ')
    const report = await reportOn(t, OLD)
    t.equal(find(report, directive), undefined, directive)
    const without = await reportOn(t, OLD.replace(`${line}\n`, ''), { modules: ['status'] })
    t.equal(find(without, directive)?.subject, directive, `without ${directive}`)
  }
})

t.test('defaults of modules matter where the modules are loaded', async (t) => {
  const without = await reportOn(t, 'NameVirtualHost *:80\n')
  t.equal(find(without, 'RequestReadTimeout'), undefined)
  t.equal(find(without, 'ExtendedStatus'), undefined)
  const report = await reportOn(t, 'NameVirtualHost *:80\n', { modules: ['reqtimeout', 'status'] })
  t.match(find(report, 'RequestReadTimeout'), { weight: 'look', instead: ['RequestReadTimeout header=0 body=0'] })
  t.match(find(report, 'ExtendedStatus'), { weight: 'know' })
})

t.test('a .htaccess file whose directives are rejected because AllowOverride is not set requires an action', async (t) => {
  const files = {
    'docs/a/.htaccess': 'Order deny,allow\nDeny from all\n',
    'docs/b/.htaccess': 'DirectoryIndex home.html\n',
    'docs/c/.htaccess': '# nothing\n',
  }
  const report = await reportOn(t, `${OLD}DocumentRoot "@ROOT@/docs"\nOptions None\n`, { files })
  const found = told(report, 'default')
  t.notMatch(found, [{}, {}, { place: { file: /docs\/c/ } }], 'one without directives is not reported')
  const [a, b] = found
  t.match(a, { weight: 'must', subject: 'AllowOverride', place: { file: /docs\/a\/\.htaccess$/, line: 0 } })
  t.match(a.instead, [/^<Directory ".*\/docs\/a">$/, '    AllowOverride All', '</Directory>'])
  t.match(b, { weight: 'must', subject: 'AllowOverride', place: { file: /docs\/b\/\.htaccess$/ } })
  for (const said of ['None', 'All'])
    t.strictSame(
      subjects(
        await reportOn(
          t,
          `${OLD}DocumentRoot "@ROOT@/docs"\n<Directory "@ROOT@/docs">\nOptions None\nAllowOverride ${said}\n</Directory>\n`,
          { files },
        ),
      ),
      [],
      `AllowOverride ${said} is said, and means what it did`,
    )
})

t.test('a folder without Options, or with signs only, relied on Options All', async (t) => {
  const folder = (options: string): string =>
    `${OLD}DocumentRoot "@ROOT@/docs"\n<Directory "@ROOT@/docs">\n${options}\n</Directory>\n`
  t.match(subjects(await reportOn(t, folder(''))), [/^DocumentRoot /])
  t.match(subjects(await reportOn(t, folder('Options -Indexes'))), [/^DocumentRoot /])
  t.strictSame(subjects(await reportOn(t, folder('Options Indexes'))), [])
  t.strictSame(subjects(await reportOn(t, `${OLD}DocumentRoot "@ROOT@/docs"\n<Directory />\nOptions None\n</Directory>\n`)), [])
  t.match(subjects(await reportOn(t, `${folder('Options None')}Alias /x "@ROOT@/x"\n`)), [/^Alias \/x /])
})

t.test('virtual hosts of one address were reached by NameVirtualHost only', async (t) => {
  const host = (address: string): string => `<VirtualHost ${address}>\nDocumentRoot "@ROOT@/docs"\n</VirtualHost>\n`
  const config = `${SAID}Options None\n${host('*:80')}${host('_default_:80')}${host('*:81')}`
  t.match(told(await reportOn(t, `LockFile x\n${config}`), 'default'), [
    { subject: '<VirtualHost _default_:80>', text: /2\.2 never selected this host.*httpd\.conf:10 comes first/ },
  ])
  t.strictSame(subjects(await reportOn(t, `NameVirtualHost *:80\n${config}`)), [])
})

t.test('numbers for another process model are reported with their new meaning', async (t) => {
  const guard = (name: string): string =>
    `<IfModule ${name}>\nStartServers 5\nMaxClients 150\nMaxRequestsPerChild 0\n</IfModule>\n`
  for (const name of ['prefork.c', 'mpm_prefork_module', 'worker.c', 'mpm_worker_module']) {
    const [finding] = told(await reportOn(t, OLD + guard(name)), 'default')
    t.equal(finding?.subject, `<IfModule ${name}>`)
    t.strictSame(finding.instead, ['<IfModule mpm_event_module>', '    MaxRequestWorkers 150', '</IfModule>'])
  }
  t.strictSame(subjects(await reportOn(t, OLD + guard('event.c'))), [])
})

t.test('log programs that need a shell are reported', async (t) => {
  const log = (target: string): Promise<UpgradeReport> => reportOn(t, `${OLD}ErrorLog "${target}"\n`)
  t.match(told(await log('|rotate /var/log/e 86400 | gzip'), 'default'), [
    { subject: /^ErrorLog/, instead: ['ErrorLog "|$rotate /var/log/e 86400 | gzip"'] },
  ])
  for (const target of ['|rotate /var/log/e 86400', '|$rotate > x', '||rotate > x', 'logs/error_log'])
    t.strictSame(subjects(await log(target)), [], target)
})

t.test('lines in false guards are ignored', async (t) => {
  const report = await reportOn(t, `NameVirtualHost *:80\n<IfModule mod_nowhere.c>\nFileETag None\n</IfModule>\n`)
  t.ok(find(report, 'FileETag'))
})

t.test('a configuration of 2.4 does not rely on defaults of 2.2', async (t) => {
  const { origin, findings } = await reportOn(t, '<Location />\nRequire all granted\n</Location>\n')
  t.match(origin, { line: '2.4', evidence: { line: 2, text: 'Require all granted' } })
  t.strictSame(findings, [])
})

t.test('after following the report, it mentions no default any more', async (t) => {
  const files = { 'docs/.htaccess': 'DirectoryIndex home.html\n', 'docs/index.html': '' }
  const lines = [
    'MaxClients 10',
    'DocumentRoot "@ROOT@/docs"',
    '<IfModule prefork.c>',
    'MaxClients 150',
    '</IfModule>',
    'ErrorLog "|rotate x | gzip"',
  ]
  const options = { files, modules: ['reqtimeout', 'status'] } as const
  const first = await reportOn(t, lines.join('\n'), options)
  const told = first.findings.filter(({ kind }) => kind === 'default')
  t.ok(told.length >= 11, 'every default but that of virtual hosts')
  const root = /^(.*)\/httpd\.conf$/.exec(first.files[0])?.[1] ?? ''
  const written = told.flatMap(({ instead }) => instead ?? []).map((line) => line.replaceAll(root, '@ROOT@'))
  const replaced = ['MaxClients 10', lines[1], ...written].join('\n')
  const second = await reportOn(t, replaced, options, { writtenFor: '2.2' })
  t.strictSame(
    second.findings.filter(({ kind }) => kind === 'default'),
    [],
  )
})
