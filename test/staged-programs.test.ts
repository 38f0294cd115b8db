import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const SCRIPTS = join(import.meta.dirname, '../build/bin')

t.test('a program runs the Node beside it, wherever it is called from', (t) => {
  const root = serverRoot(join(t.testdir(), 'a server root'))
  t.strictSame(run(join(root, 'bin/httpd'), ['-t', 'two words']), ['httpd', '-t', 'two words'])
  t.strictSame(run('./httpd', ['-v'], join(root, 'bin')), ['httpd', '-v'])
  t.strictSame(run('httpd', ['-v'], '/', { PATH: `${join(root, 'bin')}:${process.env.PATH}` }), ['httpd', '-v'])
  t.end()
})

t.test('a program is found through absolute and relative links, also links to links', (t) => {
  const folder = t.testdir()
  const root = serverRoot(join(folder, 'server root'))
  symlinkSync(join(root, 'bin/httpd'), join(folder, 'absolute'))
  mkdirSync(join(folder, 'sbin'))
  symlinkSync('../absolute', join(folder, 'sbin/apache2'))
  symlinkSync('server root', join(folder, 'current'))
  t.strictSame(run(join(folder, 'absolute'), ['-l']), ['httpd', '-l'])
  t.strictSame(run(join(folder, 'sbin/apache2'), ['-l']), ['httpd', '-l'])
  t.strictSame(run(join(folder, 'current/bin/httpd'), ['-l']), ['httpd', '-l'])
  t.end()
})

t.test('a server root that was moved still works', (t) => {
  const folder = t.testdir()
  serverRoot(join(folder, 'before'))
  renameSync(join(folder, 'before'), join(folder, 'after'))
  t.strictSame(run(join(folder, 'after/bin/httpd'), []), ['httpd'])
  t.end()
})

t.test('apachectl turns its verbs into options of httpd and hands on everything else', (t) => {
  const apachectl = join(serverRoot(join(t.testdir(), 'root')), 'bin/apachectl')
  for (const verb of ['start', 'stop', 'restart', 'graceful', 'graceful-stop']) {
    t.strictSame(run(apachectl, [verb, '-f', 'x.conf']), ['httpd', '-k', verb, '-f', 'x.conf'])
  }
  t.strictSame(run(apachectl, ['configtest', '-f', 'x y.conf']), ['httpd', '-t', '-f', 'x y.conf'])
  t.strictSame(run(apachectl, ['-M']), ['httpd', '-M'])
  t.strictSame(run(apachectl, []), ['httpd', '-h'])
  t.end()
})

t.test('apachectl status asks the first listener, and fails if it gets no answer', (t) => {
  const root = serverRoot(join(t.testdir(), 'root'))
  const httpd = "if (process.argv.includes('DUMP_LISTEN')) console.log('http://127.0.0.1:81\\nhttp://127.0.0.1:82')"
  writeFileSync(join(root, 'lib/httpd.mjs'), httpd)
  const browser = join(root, 'browser')
  writeFileSync(browser, '#!/bin/sh\necho "shown $1"\n', { mode: 0o755 })
  const status = (env: NodeJS.ProcessEnv) =>
    spawnSync(join(root, 'bin/apachectl'), ['status'], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
  t.equal(status({ APACHE_LYNX: browser }).stdout, 'shown http://127.0.0.1:81/server-status\n')
  t.equal(status({ APACHE_LYNX: browser }).status, 0)
  const refused = status({ APACHE_LYNX: 'false', APACHE_STATUSURL: 'http://127.0.0.1:9/server-status' })
  t.equal(refused.status, 1)
  t.match(refused.stderr, /apachectl: no status from http:\/\/127\.0\.0\.1:9\/server-status/)
  t.end()
})

t.test('the exit status is that of the program', (t) => {
  const root = serverRoot(join(t.testdir(), 'root'))
  writeFileSync(join(root, 'lib/httpd.mjs'), 'process.exit(7)')
  t.equal(spawnSync(join(root, 'bin/httpd')).status, 7)
  t.end()
})

/** A server root with the real scripts, and a program that prints the words it was called with as JSON. */
function serverRoot(root: string): string {
  for (const folder of ['bin', 'lib']) mkdirSync(join(root, folder), { recursive: true })
  symlinkSync(process.execPath, join(root, 'bin/node'))
  writeFileSync(join(root, 'lib/httpd.mjs'), "console.log(JSON.stringify(['httpd', ...process.argv.slice(2)]))")
  for (const [script, name] of [
    ['program', 'httpd'],
    ['apachectl', 'apachectl'],
  ]) {
    writeFileSync(join(root, 'bin', name), readFileSync(join(SCRIPTS, `${script}.sh`), 'utf8').replaceAll('@NAME@', 'httpd'))
    chmodSync(join(root, 'bin', name), 0o755)
  }
  return root
}

function run(program: string, args: string[], cwd = '/', env: NodeJS.ProcessEnv = {}): unknown {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    encoding: 'utf8',
  })
  return stdout === '' ? stderr : JSON.parse(stdout)
}
