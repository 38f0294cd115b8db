import t from 'tap'
import { ConfigFiles, upgrade } from '../../src/index.ts'
import { directiveFindings } from '../../src/upgrade-report/directive-findings.ts'
import { reportOn, told } from '../support/report-site.ts'

t.test('a removed directive is reported with its place and its replacement', async (t) => {
  const report = await reportOn(t, '# old\nLockFile logs/lock\nAcceptMutex flock\n')
  t.match(told(report, 'directive'), [
    { weight: 'must', place: { line: 2 }, subject: 'LockFile logs/lock', instead: [], by: 'migrate' },
    { weight: 'must', place: { line: 3 }, subject: 'AcceptMutex flock', instead: [], by: 'migrate' },
  ])
})

t.test('directives that 2.4 still reads only need to be checked', async (t) => {
  const report = await reportOn(t, 'MaxClients 10\nNameVirtualHost *:80\n')
  t.match(told(report, 'directive'), [
    { weight: 'look', subject: 'MaxClients 10', instead: ['MaxRequestWorkers 10'], by: 'migrate' },
    { weight: 'look', subject: 'NameVirtualHost *:80', instead: [], by: 'migrate' },
  ])
})

t.test('lines that only older servers read need nothing', async (t) => {
  const report = await reportOn(t, '<IfModule !mod_authz_core.c>\nLockFile logs/lock\nOrder deny,allow\n</IfModule>\n')
  t.strictSame([...told(report, 'directive'), ...told(report, 'access')], [])
})

t.test('lines in a false guard are reported without an action', async (t) => {
  const { findings } = await reportOn(t, '<IfModule mod_nowhere.c>\nLockFile x\n</IfModule>\n')
  t.match(
    findings.filter(({ kind }) => kind === 'directive'),
    [{ weight: 'know', subject: 'LockFile x', by: 'migrate' }],
  )
})

t.test('a line that does not load is reported in every place where it applies', async (t) => {
  const refused = [{ file: '?', line: 1, text: 'Timeout 90', message: 'no', hint: null }]
  const config = '#Timeout 90\nTimeout 90\n<IfModule mod_nowhere.c>\nTimeout 90\n</IfModule>\n  Timeout 90\n'
  const report = await reportOn(t, config, {}, { refused: () => refused })
  t.match(
    told(report, 'directive').map(({ place }) => place?.line),
    [2, 6],
  )
})

t.test('a new line that does not load either is left to the reader of the report', async (t) => {
  const refused = { file: '?', line: 1, text: 'LogLevel rewrite:trace3', message: 'Cannot find module rewrite', hint: null }
  const upgraded = upgrade(new ConfigFiles(new Map([['/f', 'RewriteLogLevel 3\n']])))
  const directives = { has: () => false, isRead: () => true, refused: [{ ...refused, file: '/f' }] }
  t.match(directiveFindings(upgraded, directives), [
    { subject: 'RewriteLogLevel 3', text: /does not load either: Cannot find module rewrite$/, by: 'hand', weight: 'must' },
  ])
})

t.test('lines of .htaccess files that would cause a 500 are reported, those that migrate changes once', async (t) => {
  const files = { 'docs/a/.htaccess': 'DirectoryIndex x\nNosuch thing\nAuthzUserAuthoritative Off\n', 'docs/index.html': '' }
  const config = 'DocumentRoot "@ROOT@/docs"\n<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>\n'
  const report = await reportOn(t, config, { files })
  t.match(told(report, 'directive'), [
    { subject: 'AuthzUserAuthoritative Off', place: { line: 3 }, by: 'migrate' },
    {
      subject: 'Nosuch thing',
      place: { file: /a\/\.htaccess$/, line: 2 },
      text: /^Invalid command 'Nosuch'/,
      weight: 'must',
      by: 'hand',
    },
  ])
  t.equal(told(report, 'directive').length, 2)
})

t.test('a rejected line is reported with additional facts if they are known', async (t) => {
  const nothing = {
    texts: new Map(),
    remarks: [],
    changes: [],
    guarded: [],
    additions: [],
    originalLine: (_: string, line: number) => line,
  }
  const refused = [
    { file: '/f', line: 7, text: 'Include x/*.conf', message: 'No matches for the wildcard', hint: null },
    { file: '/f', line: 7, text: 'KeepAlive 5', message: 'KeepAlive must be On or Off', hint: null },
    { file: '/f', line: 8, text: 'Include x.conf', message: 'No such file', hint: 'look' },
    { file: '/f', line: 8, text: 'DefaultRuntimeDir ${DIR}/x', message: 'no folder', hint: null },
    {
      file: '/f',
      line: 9,
      text: 'Foo bar',
      message: 'Invalid command',
      hint: 'Foo belongs to mod_foo: LoadModule foo_module modules/mod_foo.so',
    },
  ]
  t.match(directiveFindings(nothing, { has: () => false, isRead: () => true, refused }), [
    { place: { file: '/f', line: 7 }, instead: ['IncludeOptional x/*.conf'], weight: 'must', by: 'hand' },
    { text: /must be On or Off; 2\.2 read every value except Off and 0 as On/, instead: ['KeepAlive On'] },
    { text: 'No such file; look', instead: null },
    { text: 'no folder; if a start script sets ${DIR}, run the report again in its environment', instead: null },
    { instead: ['LoadModule foo_module modules/mod_foo.so', 'Foo bar'] },
  ])
})

t.test('the line of httpd for which a configuration was written follows from directives of only one line', async (t) => {
  const line = async (config: string): Promise<string> => (await reportOn(t, config)).origin.line
  t.equal(await line('Listen 80\n'), 'unknown')
  t.equal(await line('MaxClients 10\n'), '2.2')
  t.equal(await line('<Location />\nOrder deny,allow\n</Location>\n'), '2.2')
  t.equal(await line('MaxRequestWorkers 10\n'), '2.4')
  t.equal(await line('MaxRequestWorkers 10\nLockFile logs/x\n'), '2.2', 'half-way')
  t.equal(await line('MaxRequestWorkers 10\nNameVirtualHost *:80\n'), '2.4', 'which only warns of it')
  t.equal(await line('<IfModule mod_authz_core.c>\n<Location />\nRequire all granted\n</Location>\n</IfModule>\n'), 'both')
  const asked = await reportOn(t, 'MaxClients 10\n', {}, { writtenFor: '2.4' })
  t.strictSame(asked.origin, { line: '2.4', evidence: null })
})
