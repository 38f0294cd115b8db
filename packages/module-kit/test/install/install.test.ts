import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { COMPILED_IN_NAMES } from '../../../cli/src/compiled-in-names.ts'
import { parseConfigVars } from '../../src/config-vars.ts'
import { configure } from '../../src/configure/configure.ts'
import { compiledInNames } from '../../src/install/compiled-in-texts.ts'
import { configVariablesText } from '../../src/install/config-variables.ts'
import { installErrorLines } from '../../src/install/install-error.ts'
import { installedConf } from '../../src/install/installed-conf.ts'
import { installedLayout } from '../../src/install/installed-layout.ts'
import type { Item } from '../../src/install/item.ts'
import { type Placed, placeItems } from '../../src/install/place-items.ts'

function statusOf(...words: string[]) {
  const available = ['status', 'rewrite', 'authz_core']
  return configure({ words, environment: {}, available, program: '/src/build/configure', readFile: () => '' }).status
}

t.test('LoadModule lines are active for common modules, and for all on request', (t) => {
  const lines = (...words: string[]) => installedConf('@modules@', statusOf(...words)).split('\n')
  t.strictSame(lines('--prefix=/opt/gw', '--enable-rewrite'), [
    'LoadModule authz_core_module modules/mod_authz_core.mjs',
    'LoadModule status_module modules/mod_status.mjs',
    '#LoadModule rewrite_module modules/mod_rewrite.mjs',
  ])
  t.strictSame(lines('--enable-load-all-modules', '--enable-modules=none', '--enable-rewrite'), [
    'LoadModule rewrite_module modules/mod_rewrite.mjs',
  ])
  t.strictSame(lines('--enable-mods-static=few'), ['# Compiled in, so without LoadModule lines: authz_core, status.'])
  t.strictSame(lines('--enable-layout=Debian', '--enable-modules=none', '--enable-status'), [
    'LoadModule status_module /usr/lib/apache2/modules/mod_status.mjs',
  ])
  t.end()
})

t.test('an unknown placeholder in the template is reported', (t) => {
  t.throws(() => installedConf('@nothing@', statusOf()), { message: /@nothing@/ })
  t.equal(
    installedConf('ServerAdmin you@example.com, Listen @port@', statusOf('--with-port=81')),
    'ServerAdmin you@example.com, Listen 81',
  )
  t.end()
})

t.test('-l names the modules that are compiled in where httpd does', (t) => {
  t.strictSame(compiledInNames(['watchdog', 'log_config', 'logio', 'version', 'unixd']), COMPILED_IN_NAMES)
  t.strictSame(compiledInNames([]), ['core.c', 'mod_so.c', 'http_core.c', 'event.c'])
  t.end()
})

t.test('config_vars.mk is the same after a prefix has been moved', (t) => {
  const text = configVariablesText(statusOf('--prefix=/opt/gw', '--enable-status=static', 'CFLAGS=-O2'), {
    source: '/src',
    buildFolder: '/src/build',
  })
  const moved = parseConfigVars(text, '/srv/moved')
  const expected = {
    prefix: '/srv/moved',
    libexecdir: '/srv/moved/modules',
    exp_sysconfdir: '/srv/moved/conf',
    CFLAGS: '-O2',
    MPM_NAME: 'event',
  }
  for (const [name, value] of Object.entries(expected)) t.equal(moved.get(name), value, name)
  t.equal(moved.get('ENABLED_DSO_MODULES'), ',authz_core,rewrite')
  t.equal(moved.get('BUILTIN_MODULES'), 'status')
  t.equal(moved.get('gatewright_source'), '/src')
  const debian = parseConfigVars(configVariablesText(statusOf('--enable-layout=Debian')), '/anywhere')
  t.equal(debian.get('libexecdir'), '/usr/lib/apache2/modules')
  t.end()
})

t.test('programs contain the folders of a layout, and for a plain prefix only relative ones', (t) => {
  t.match(installedLayout(statusOf('--prefix=/opt/gw')), { root: '.', configFile: 'conf/httpd.conf', modules: 'modules' })
  t.match(installedLayout(statusOf('--enable-layout=GNU', '--with-program-name=gw')), {
    root: '/usr/local',
    configFile: 'etc/apache2/gw.conf',
    pidFile: 'var/apache2/run/httpd.pid',
    errorLog: 'var/apache2/log/error_log',
    modules: 'libexec',
  })
  t.match(installedLayout(statusOf('--enable-layout=Debian')), { root: '/', configFile: '/etc/apache2/httpd.conf' })
  t.end()
})

function place(destination: string, ...items: Item[]): Placed {
  const placed: Placed = { written: 0, unchanged: 0, kept: [] }
  placeItems(items, destination, placed)
  return placed
}

function file(path: string, content: string, more: Partial<Extract<Item, { kind: 'file' }>> = {}): Item {
  return { kind: 'file', path, mode: 0o644, content: Buffer.from(content), existing: 'replace', ...more }
}

t.test("files are replaced as a whole, the operator's are kept, and what is the same is not touched", (t) => {
  const folder = t.testdir()
  t.match(place(folder, file('/a/b/x', 'one'), file('/a/conf', 'theirs', { existing: 'keep' })), { written: 2, kept: [] })
  const before = statSync(join(folder, 'a/b/x')).ino
  t.match(place(folder, file('/a/b/x', 'one')), { written: 0, unchanged: 1 })
  t.equal(statSync(join(folder, 'a/b/x')).ino, before)
  t.match(place(folder, file('/a/b/x', 'two'), file('/a/conf', 'new', { existing: 'keep' })), { written: 1, kept: ['/a/conf'] })
  t.not(statSync(join(folder, 'a/b/x')).ino, before, 'whoever has the old file open keeps it')
  t.equal(readFileSync(join(folder, 'a/b/x'), 'utf8'), 'two')
  t.equal(readFileSync(join(folder, 'a/conf'), 'utf8'), 'theirs')
  t.strictSame(readdirSync(join(folder, 'a/b')), ['x'], 'nothing unfinished stays')
  t.end()
})

t.test('modes do not depend on the umask, and folders that were there keep theirs', (t) => {
  const folder = t.testdir({ old: {} })
  chmodSync(join(folder, 'old'), 0o700)
  const umask = process.umask(0o077)
  t.teardown(() => process.umask(umask))
  place(folder, file('/old/new/bin/program', 'x', { mode: 0o755 }), file('/old/new/text', 'y'), { kind: 'folder', path: '/logs' })
  const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
  t.strictSame(['old', 'old/new', 'old/new/bin', 'old/new/bin/program', 'old/new/text', 'logs'].map(mode), [
    '700',
    '755',
    '755',
    '755',
    '644',
    '755',
  ])
  t.end()
})

t.test('a read-only prefix is reported with a solution', (t) => {
  const folder = t.testdir({ file: 'in the way' })
  mkdirSync(join(folder, 'there'))
  writeFileSync(join(folder, 'there/x'), '')
  try {
    place(folder, file('/file/x', ''))
    t.fail('a file cannot be a folder')
  } catch (error) {
    t.match(installErrorLines(error, '/p'), [
      /^install: error: cannot write .*file.*: a file exists where a folder is needed/,
      /^hint: /,
    ])
  }
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/opt/gw' })
  t.match(installErrorLines(denied, '/opt'), [/cannot write \/opt\/gw: permission denied/, /^hint: .*--destdir/])
  const closed = Object.assign(new Error('EROFS'), { code: 'EROFS', path: '/opt/.' })
  t.match(installErrorLines(closed, '/opt')?.[0], /cannot write \/opt: the file system is read-only$/)
  t.equal(installErrorLines(new Error('of another kind'), '/opt'), undefined)
  t.end()
})
