import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { gatewright, runTool } from './fixtures/gatewright.ts'

const OLD = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n'
const NEW = 'Require ip 10.0.0.0/8\n'

t.test('a folder of .htaccess files is shown as a difference, with a proof', async (t) => {
  const root = t.testdir({ '.htaccess': `# ours\n${OLD}`, sub: { '.htaccess': 'Options None\n' } })
  const { status, stdout, stderr } = await gatewright(['migrate', root])
  t.equal(status, 0, stderr)
  t.match(stdout, / # ours\n-Order deny,allow\n-Deny from all\n-Allow from 10\.0\.0\.0\/8\n\+Require ip 10\.0\.0\.0\/8\n$/)
  t.match(stderr, /^1 file changes.*\nEqual: \d+ classes/)
  t.equal(readFileSync(join(root, '.htaccess'), 'latin1'), `# ours\n${OLD}`)
})

t.test('a list of what is open is migrated, and one that would open .htaccess files is not', async (t) => {
  const list = (pattern: string): string => `<FilesMatch "${pattern}">\nOrder allow,deny\nAllow from all\n</FilesMatch>\n`
  const root = t.testdir({
    some: { '.htaccess': `Deny from all\n${list('\\.(css|html)$')}` },
    all: { '.htaccess': `Deny from all\n${list('.')}` },
  })
  const { stdout, stderr } = await gatewright(['migrate', root])
  t.match(stdout, /some\/\.htaccess\n@@.*\n-Deny from all\n\+Require all denied\n.*\n-Order.*\n-Allow.*\n\+Require all granted\n/)
  t.notMatch(stdout, 'all/.htaccess')
  t.match(stderr, /all\/\.htaccess:2: its meaning depends on .*the server's rule for \.htaccess files and their kin/)
})

t.test('files are replaced in place, and the old ones are kept', async (t) => {
  const root = t.testdir({ '.htaccess': OLD })
  t.match(await gatewright(['migrate', '--in-place', '--limit', '0', root]), { status: 0, stdout: /No proof was requested/ })
  t.equal(readFileSync(join(root, '.htaccess'), 'latin1'), NEW)
  t.equal(readFileSync(join(root, '.htaccess.2.2~'), 'latin1'), OLD)
  // A second run finds nothing to do.
  t.match(await gatewright(['migrate', '--in-place', root]), { status: 0, stdout: /^0 files change/ })
  t.equal(readFileSync(join(root, '.htaccess.2.2~'), 'latin1'), OLD)
})

t.test('old files are kept where the server does not read them, whatever it includes', async (t) => {
  for (const include of ['sites/', 'sites', 'sites/*']) {
    const root = t.testdir({ conf: { sites: { one: '<Location />\nOrder allow,deny\nAllow from all\n</Location>\n' } } })
    const file = join(root, 'conf/httpd.conf')
    const modules = ['authz_host', 'access_compat', 'authz_core'].map(
      (name) => `LoadModule ${name}_module modules/mod_${name}.so`,
    )
    writeFileSync(
      file,
      [`ServerRoot "${root}"`, 'Listen 8099', ...modules, `Include conf/${include}`, 'MaxClients 10', ''].join('\n'),
    )
    const { status, stderr } = await gatewright(['migrate', '--in-place', '--limit', '0', file])
    t.equal(status, 0, stderr)
    t.strictSame(readdirSync(join(root, 'conf/sites')), ['one'], include)
    t.match(readFileSync(join(root, 'conf/sites/one'), 'latin1'), 'Require all granted')
    t.match(readFileSync(join(root, 'conf/sites.2.2~/one'), 'latin1'), 'Order allow,deny')
    t.match(readFileSync(`${file}.2.2~`, 'latin1'), 'MaxClients 10')
  }
})

t.test('a configuration is written to another folder, with its includes', async (t) => {
  const root = t.testdir({ conf: {}, docs: {}, logs: {} })
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(
    file,
    [
      `ServerRoot "${root}"`,
      'ServerName localhost',
      'Listen 8099',
      ...['authz_host', 'alias'].map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
      'LoadModule lua_module modules/mod_lua.so',
      'LoadModule log_config_module modules/mod_log_config.so',
      'MaxClients 150',
      `DocumentRoot "${root}/docs"`,
      'Include conf/more.conf',
      '',
    ].join('\n'),
  )
  writeFileSync(
    join(root, 'conf/more.conf'),
    `NameVirtualHost *:8099\n<Directory "${root}/docs">\n  Order allow,deny\n  Allow from all\n</Directory>\n`,
  )
  const out = join(root, 'out')
  const { status, stdout, stderr } = await gatewright(['migrate', '--output', out, file])
  t.equal(status, 0, stderr)
  t.equal(
    readFileSync(join(out, root, 'conf/more.conf'), 'latin1'),
    `<Directory "${root}/docs">\n  Require all granted\n</Directory>\n`,
  )
  const main = readFileSync(join(out, file), 'latin1')
  t.match(main, /LoadModule authz_core_module modules\/mod_authz_core\.so\n/)
  t.match(main, /\nMaxRequestWorkers 150\n/)
  t.match(main, '<IfModule !mod_log_config.c>\nLoadModule log_config_module modules/mod_log_config.so\n</IfModule>\n')
  t.match(stdout, /Unknown to this server.*\n {2}\S+:6: LoadModule lua_module/)
  t.match(stdout, /\S+:7: mod_log_config is part of this server/)
})

t.test('the documented reading is refused the word equal, with a request that shows why', async (t) => {
  const root = t.testdir({ '.htaccess': 'Order allow,deny\nDeny from all\nAllow from 10.1.2.3\n' })
  const { status, stderr } = await gatewright(['migrate', '--intent', 'documented', root])
  t.equal(status, 1)
  t.match(
    stderr,
    /Not equal\. The request that shows it:\n {2}curl -i .*\n {2}from 10\.1\.2\.3\n {2}before: 403\n.*deny this client.*\n.*\n {2}after: {2}404\n/,
  )
})

t.test('input that cannot be read or parsed is reported, and nothing is written', async (t) => {
  const root = t.testdir({ conf: {} })
  t.match(await gatewright(['migrate', join(root, 'none')]), { status: 2, stderr: /Could not open configuration file/ })
  t.match(await gatewright(['migrate']), { status: 2, stderr: /one configuration file/ })
  t.match(await gatewright(['migrate', '--intent', 'guess', root]), { status: 2, stderr: /exact or documented/ })
  mkdirSync(join(root, 'x'))
  writeFileSync(join(root, 'x/.htaccess'), 'Order sideways\n')
  const wrong = await gatewright(['migrate', '--in-place', root])
  t.match(wrong.stdout, /x\/\.htaccess:1: unknown order/)
  t.notOk(existsSync(join(root, 'x/.htaccess.2.2~')))
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(file, `ServerRoot "${root}"\nInclude conf/httpd.conf\n`)
  t.match(await gatewright(['migrate', file]), { status: 2, stderr: /nothing was written/ })
})

t.test('files with other names from AccessFileName are migrated with the configuration', async (t) => {
  const root = t.testdir({ conf: {}, logs: {}, docs: { a: { '.acl': OLD, '.htaccess': 'Order sideways\n' } } })
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(
    file,
    [
      `ServerRoot "${root}"`,
      'ServerName localhost',
      'Listen 8099',
      ...['authz_core', 'authz_host', 'access_compat', 'alias'].map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
      `DocumentRoot "${root}/docs"`,
      'AccessFileName .acl',
      `<Directory "${root}/docs">`,
      'AllowOverride All',
      '</Directory>',
      '',
    ].join('\n'),
  )
  const { status, stdout, stderr } = await gatewright(['migrate', '--in-place', file])
  t.equal(status, 0, stderr)
  t.match(stdout, /^1 file changes/)
  t.equal(readFileSync(join(root, 'docs/a/.acl'), 'latin1'), NEW)
})

/** A configuration of 2.2 as written by httpd's own build. */
function serverOf22(t: Test, lines: readonly string[], accessFile?: string): string {
  const root = t.testdir({ conf: {}, logs: {}, docs: {} })
  if (accessFile !== undefined) writeFileSync(join(root, 'docs/.htaccess'), accessFile)
  const file = join(root, 'conf/httpd.conf')
  const modules = ['log_config', 'logio', 'version', 'authn_file', 'authz_host', 'authz_user', 'auth_basic']
  const text = [
    `ServerRoot "${root}"`,
    'ServerName localhost',
    'Listen 8099',
    'NameVirtualHost *:8099',
    ...modules.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
    `DocumentRoot "${root}/docs"`,
    ...lines.map((line) => line.replaceAll('@ROOT@', root)),
    '',
  ]
  writeFileSync(file, text.join('\n'))
  return file
}

const HALF = ['<Directory "@ROOT@/docs">', 'AuthType Basic', 'AuthName x', 'Require user bob', 'Satisfy Any', '</Directory>']

t.test('a configuration of 2.2 loads once it is rewritten, whatever of it is built in here', async (t) => {
  const file = serverOf22(t, ['<Directory "@ROOT@/docs">', 'Order allow,deny', 'Allow from all', '</Directory>'])
  const { status, stderr } = await gatewright(['migrate', '--in-place', file])
  t.equal(status, 0, stderr)
  const main = readFileSync(file, 'latin1')
  for (const name of ['log_config', 'logio', 'version'])
    t.match(main, `<IfModule !mod_${name}.c>\nLoadModule ${name}_module modules/mod_${name}.so\n</IfModule>\n`)
  t.match(main, '</IfModule>\nLoadModule authn_file_module')
  t.match(await runTool('httpd', ['-t', '-f', file], '/'), { status: 0, stderr: /Syntax OK/ })
  t.match(await gatewright(['migrate', '--in-place', file]), { status: 0, stdout: /^0 files change/ })
})

t.test('lines of TLS are kept and listed, and every error is reported at the line of the current file', async (t) => {
  const mutex = 'SSLMutex "file:/usr/local/apache2/logs/ssl_mutex"'
  const file = serverOf22(t, [
    mutex,
    'SSLMutex default',
    ...HALF.slice(0, 1),
    'Order allow,deny',
    'Allow from all',
    '</Directory>',
  ])
  const left = await gatewright(['migrate', file])
  t.match(left, { status: 0, stderr: /Unknown to this server.*\n {2}\S+:13: SSLMutex "file.*\n {2}\S+:14: SSLMutex default\n/ })
  t.notMatch(left.stdout, /^[-+]SSLMutex/m)
  const wrong = serverOf22(t, ['Options sideways'])
  t.match(await gatewright(['migrate', wrong]), {
    status: 2,
    stderr: /Syntax error on line 13 of \S+httpd\.conf:\nIllegal option sideways/,
  })
  const renamed = serverOf22(t, ['MaxClients'])
  t.match(await gatewright(['migrate', renamed]), {
    status: 2,
    stderr: /on line 13 of .*\n.*MaxRequestWorkers.*\(in the text that would replace this line: MaxRequestWorkers\)/,
  })
})

t.test('rules with an error of lint are not rewritten unless the error is accepted', async (t) => {
  const file = serverOf22(t, HALF)
  const before = readFileSync(file, 'latin1')
  const refused = await gatewright(['migrate', '--in-place', file])
  t.match(refused, {
    status: 1,
    stdout: /httpd\.conf:16: error GW001: Require has no effect/,
    stderr: /nothing was written.*\nhint: .*--accept-errors/,
  })
  t.equal(readFileSync(file, 'latin1'), before)
  t.match(await gatewright(['migrate', file]), { status: 1, stdout: /\+Require all granted/, stderr: /error GW001/ })
  t.match(await gatewright(['migrate', '--in-place', '--accept-errors', file]), { status: 0, stdout: /error GW001/ })
  t.match(readFileSync(file, 'latin1'), 'AuthName x\nRequire all granted\n</Directory>')
})

t.test('the ban of .ht files that a server has is not opened, in a configuration or around a folder', async (t) => {
  const open = ['<Directory />', 'AllowOverride All', 'Require all granted', '</Directory>']
  const file = serverOf22(t, [...open, '<Files ".ht*">', 'Require all denied', '</Files>'], 'Satisfy any\n')
  const whole = await gatewright(['migrate', file])
  t.match(whole, { status: 1, stderr: /httpd\.conf:17: this opens what the Require lines here close/ })
  t.notMatch(whole.stdout, '+Require all granted')
  const folder = await gatewright(['migrate', '--accept-errors', join(file, '../../docs')])
  t.match(folder, { status: 0, stdout: /-Satisfy any\n\+Require all granted/ })
  t.match(
    folder.stderr,
    /^Not equal: .*\nClosed by the server's own section.*\n.*\.ht\w*\n.*\n {2}before: (?:200|404)\n(?:.*\n)* {2}after: {2}403/m,
  )
  t.match(await gatewright(['migrate', join(file, '../../docs')]), {
    status: 1,
    stderr: /error GW001: Satisfy Any lets everybody bypass/,
  })
})
