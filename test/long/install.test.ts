import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { bringSiteUpToDate } from '../../build/site/current-site.ts'
import { Configured } from '../fixtures/configured.ts'

const NAMED = ['-C', 'ServerName localhost']

t.test('in another layout every file has its folder, and the server finds it without options', async (t) => {
  await bringSiteUpToDate()
  const site = Configured.make(t)
  t.equal((await site.configure('--enable-layout=GNU', '--enable-load-all-modules', '--with-program-name=gate')).status, 0)
  t.equal((await site.install()).status, 0)
  const settings = await site.program('prefix/sbin/gate', '-V', ...NAMED)
  t.match(settings.stdout.join('\n'), `HTTPD_ROOT="${site.path('prefix')}"`)
  for (const define of [
    'SERVER_CONFIG_FILE="etc/apache2/gate.conf"',
    'AP_TYPES_CONFIG_FILE="etc/apache2/mime.types"',
    'DEFAULT_PIDLOG="var/apache2/run/httpd.pid"',
    'DEFAULT_ERRORLOG="var/apache2/log/error_log"',
  ])
    t.ok(settings.stdout.includes(` -D ${define}`), define)
  t.strictSame((await site.program('prefix/sbin/gate', '-t', ...NAMED)).stderr, ['Syntax OK'])
  t.strictSame((await site.program('prefix/sbin/apachectl', 'configtest', ...NAMED)).stderr, ['Syntax OK'])
  const shown = (await site.program('prefix/sbin/gate', '-S', ...NAMED)).stdout
  for (const line of [
    'VirtualHost configuration:',
    `ServerRoot: "${site.path('prefix')}"`,
    `Main DocumentRoot: "${site.path('prefix/share/apache2/htdocs')}"`,
    `Main ErrorLog: "${site.path('prefix/var/apache2/log/error_log')}"`,
    `Mutex default: dir="${site.path('prefix/var/apache2/run')}/" mechanism=default `,
    `PidFile: "${site.path('prefix/var/apache2/run/httpd.pid')}"`,
  ])
    t.ok(shown.includes(line), line)
  t.notOk(site.has('prefix/bin/node'), 'bin/ may be shared with others')
  for (const page of ['index.html', 'search-index.js', 'modules/mod_alias.html', 'api/Request.html', 'upgrading.html'])
    t.ok(site.has(`prefix/share/apache2/manual/${page}`), page)
})

t.test('after the installation, man shows the pages of the programs', async (t) => {
  const site = Configured.make(t)
  t.equal((await site.configure('--enable-modules=few')).status, 0)
  t.equal((await site.install()).status, 0)
  const shown = (...words: string[]) =>
    spawnSync('man', ['-M', site.path('prefix/man'), ...words], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '100' } })
  const hasMan = spawnSync('man', ['--version']).status === 0
  for (const file of readdirSync(site.path('prefix/bin')).filter((name) => name !== 'node'))
    t.ok(site.has(`prefix/man/man1/${file}.1`) || site.has(`prefix/man/man8/${file}.8`), file)
  t.match(site.read('prefix/man/man8/httpd.8'), /^\.TH HTTPD 8 /)
  t.match(site.read('prefix/man/man8/apachectl.8'), 'httpd.8')
  if (hasMan) {
    t.match(shown('httpd').stdout, /NAME\s+httpd - /)
    t.match(shown('8', 'apachectl').stdout, /NAME\s+httpd - /)
    t.match(shown('htpasswd').stdout, /NAME\s+htpasswd - /)
  }
})

t.test('with --destdir all files are below that folder and contain the final paths', async (t) => {
  const site = Configured.make(t)
  t.equal(
    (await site.configure('--enable-layout=Debian', '--prefix=', '--enable-modules=few')).status,
    1,
    'a prefix cannot be empty by hand',
  )
  t.equal((await site.configure('--enable-layout=opt', '--prefix=/opt/gate', '--enable-modules=few')).status, 0)
  t.equal((await site.install('--destdir', site.path('package'))).status, 0)
  t.match(site.read('package/opt/gate/sbin/httpd'), 'exec "/opt/gate/lib/gatewright/node"')
  t.match(site.read('package/etc/opt/gate/httpd.conf'), /^Define SRVROOT "\/opt\/gate"$/m)
  t.match(site.read('package/opt/gate/share/build/config_vars.mk'), /^libexecdir = \/opt\/gate\/libexec$/m)
  t.match(site.read('package/etc/opt/gate/service/gatewright.service'), /^ExecStart=\/opt\/gate\/sbin\/httpd /m)
  t.match(
    site.read('package/etc/opt/gate/service/gatewright.service'),
    /^ReadWritePaths=\/var\/opt\/gate\/logs \/var\/opt\/gate\/run$/m,
  )
  t.ok(site.has('package/opt/gate/libexec/mod_status.mjs'))
  t.strictSame(readdirSync(site.path('package')).sort(), ['etc', 'opt', 'var'])
})

t.test('an impossible installation is reported before anything is done', async (t) => {
  const site = Configured.make(t)
  const before = await site.install()
  t.match(before, { status: 1, stderr: [/nothing is configured/, 'hint: run build/configure first; --help lists its options'] })
  writeFileSync(site.path('file'), '')
  t.equal((await site.configure(`--prefix=${site.path('file/gate')}`)).status, 0)
  t.match(await site.install(), {
    status: 1,
    stderr: [/^install: error: cannot write .*: a file exists where a folder is needed/, /^hint: .*--prefix/],
  })
  t.equal(readFileSync(site.path('file'), 'utf8'), '')
  t.match(await site.configure('--from', site.path('missing')), { status: 1, stderr: [/^configure: error: ENOENT/, /^hint: /] })
})
