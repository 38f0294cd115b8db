import t from 'tap'
import type { Folder } from '../../src/configure/folders.ts'
import { isMovable, programFolders, resolveFolders } from '../../src/configure/layout.ts'
import { readLayoutFile } from '../../src/configure/layout-file.ts'
import { LAYOUTS } from '../../src/configure/layouts.ts'

function folders(layout: string, chosen: Partial<Record<Folder, string>> = {}) {
  return resolveFolders(LAYOUTS.get(layout) ?? new Map(), new Map(Object.entries(chosen)))
}

t.test('the folders of each layout are those of httpd', (t) => {
  t.match(folders('Apache'), {
    prefix: '/usr/local/apache2',
    bindir: '/usr/local/apache2/bin',
    sbindir: '/usr/local/apache2/bin',
    libexecdir: '/usr/local/apache2/modules',
    sysconfdir: '/usr/local/apache2/conf',
    logfiledir: '/usr/local/apache2/logs',
    installbuilddir: '/usr/local/apache2/build',
  })
  t.match(folders('GNU'), {
    sbindir: '/usr/local/sbin',
    sysconfdir: '/usr/local/etc/apache2',
    htdocsdir: '/usr/local/share/apache2/htdocs',
    includedir: '/usr/local/include/apache2',
    logfiledir: '/usr/local/var/apache2/log',
    runtimedir: '/usr/local/var/apache2/run',
  })
  t.match(folders('opt'), {
    sysconfdir: '/etc/opt/apache',
    logfiledir: '/var/opt/apache/logs',
    libexecdir: '/opt/apache/libexec',
  })
  t.match(folders('Debian'), {
    prefix: '',
    sbindir: '/usr/sbin',
    sysconfdir: '/etc/apache2',
    libexecdir: '/usr/lib/apache2/modules',
    installbuilddir: '/usr/share/apache2/build',
    logfiledir: '/var/log/apache2',
  })
  t.match(folders('RedHat'), { sysconfdir: '/etc/httpd/conf', htdocsdir: '/var/www/html', logfiledir: '/var/log/httpd' })
  t.end()
})

t.test('what follows from a folder that is chosen follows it', (t) => {
  const chosen = folders('GNU', { prefix: '/srv/gw', localstatedir: '/var/gw' })
  t.match(chosen, { sysconfdir: '/srv/gw/etc/apache2', logfiledir: '/var/gw/log', bindir: '/srv/gw/bin' })
  t.end()
})

t.test('only an installation with the usual folders below its prefix may be moved; otherwise Node has a separate folder', (t) => {
  const plain = folders('Apache', { prefix: '/opt/gw' })
  t.equal(isMovable(plain), true)
  t.strictSame(programFolders(plain), { bundles: '/opt/gw/lib', node: '/opt/gw/bin' })
  const logsElsewhere = folders('Apache', { prefix: '/opt/gw', logfiledir: '/var/log/gw' })
  t.equal(isMovable(logsElsewhere), false)
  const debian = folders('Debian')
  t.equal(isMovable(debian), false)
  t.strictSame(programFolders(debian), { bundles: '/usr/lib/gatewright', node: '/usr/lib/gatewright' })
  t.end()
})

const FILE = `# ours
<Layout Other>
  prefix: /other
</Layout>
<Layout Mine>
    # where we have things
    prefix:        /srv
    sysconfdir:    \${prefix}/etc+
    logfiledir: /var/log/mine
</Layout>
`

t.test('a layout may come from a file in the form of config.layout', (t) => {
  const mine = resolveFolders(readLayoutFile(FILE, 'Mine', 'layouts'), new Map())
  t.match(mine, { prefix: '/srv', sysconfdir: '/srv/etc/apache2', logfiledir: '/var/log/mine', bindir: '/srv/bin' })
  t.throws(() => readLayoutFile(FILE, 'Nobody', 'layouts'), {
    message: 'layouts has no complete layout Nobody',
    hint: 'it has Other, Mine',
  })
  t.throws(() => readLayoutFile('<Layout A>\nprefix /x\n</Layout>', 'A', 'layouts'), {
    message: 'layouts:2: not a layout line: prefix /x',
  })
  t.throws(() => readLayoutFile('<Layout A>\nprefix: /x\n', 'A', 'layouts'), { message: /no complete layout/ })
  const circle = readLayoutFile('<Layout A>\nprefix: /x\nbindir: ${sbindir}\nsbindir: ${bindir}\n</Layout>', 'A', 'layouts')
  t.throws(() => resolveFolders(circle, new Map()), { message: /relative to itself: bindir -> sbindir -> bindir/ })
  t.end()
})
