import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasPhpFpm } from '@gatewright/testing'
import t from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const skip = hasPhpFpm() ? false : 'php8.2-fpm is not installed'
const LINES = [
  `LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`,
  // The line of Debian.
  'LoadModule php_module /usr/lib/apache2/modules/libphp8.2.so',
  '<FilesMatch ".+\\.ph(?:ar|p|tml)$">',
  'SetHandler application/x-httpd-php',
  '</FilesMatch>',
  '<Directory @ROOT@/htdocs>',
  'AllowOverride Options',
  '</Directory>',
]

/** The processes of PHP-FPM that belong to a server: those whose parents lead to it. */
function fpmProcesses(server: StagedServer): number[] {
  const parents = new Map<number, { parent: number; name: string }>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(join('/proc', entry, 'stat'), 'latin1')
      const [, name, rest] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? []
      parents.set(Number(entry), { parent: Number(rest), name: name ?? '' })
    } catch {
      // It has ended.
    }
  }
  const root = Number(server.read('logs/httpd.pid'))
  const belongs = (pid: number): boolean => pid === root || (pid > 1 && belongs(parents.get(pid)?.parent ?? 0))
  return [...parents].filter(([pid, { name }]) => name.startsWith('php-fpm') && belongs(pid)).map(([pid]) => pid)
}

const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.startsWith('Z') === false
  } catch {
    return false
  }
}

async function allEnd(pids: readonly number[]): Promise<boolean> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (!pids.some(isAlive)) return true
    await pause(50)
  }
  return false
}

t.test('php_module with the line of Debian', { skip }, async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/who.php', '<?php echo posix_getuid();')
  server.file('htdocs/slow.php', '<?php usleep(1500000); echo "done";')
  server.file('htdocs/limit.php', '<?php echo ini_get("memory_limit");')
  server.file('htdocs/other/limit.php', '<?php echo ini_get("memory_limit");')
  server.file('htdocs/other/.htaccess', 'php_value memory_limit 99M\n')
  server.configure(...LINES, 'php_admin_value memory_limit 50M')
  await server.start()

  t.test('scripts run as the user of the server, and others cannot enter its socket', async (t) => {
    const { body } = await server.get('/who.php')
    const user = process.geteuid?.() === 0 ? Number(execFileSync('id', ['-u', 'nobody'])) : process.geteuid?.()
    t.equal(Number(body), user)
    const [pid] = fpmProcesses(server)
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    const folder = /\((\/.*)\/fpm\.conf\)/.exec(command)?.[1] ?? ''
    t.match(execFileSync('stat', ['-c', '%a %u', folder]).toString().trim(), `700 ${user}`)
    t.match(
      execFileSync('stat', ['-c', '%a', join(folder, 'socket')])
        .toString()
        .trim(),
      '600',
    )
  })

  t.test('a restart finishes the scripts that run, and ends the processes of the former configuration', async (t) => {
    t.equal((await server.get('/limit.php')).body, '50M')
    t.equal((await server.get('/other/limit.php')).body, '50M', 'an administrator has decided')
    const former = fpmProcesses(server)
    const slow = server.get('/slow.php')
    await pause(300)
    server.configure(...LINES, 'php_value memory_limit 60M')
    server.signal('SIGUSR1')
    t.match(await slow, { status: 200, body: 'done' })
    for (let attempt = 0; attempt < 200 && (await server.get('/limit.php')).body !== '60M'; attempt++) await pause(25)
    t.equal((await server.get('/other/limit.php')).body, '99M')
    t.ok(former.length > 0 && (await allEnd(former)))
  })

  t.test('no process is left when the server has ended', async (t) => {
    const pids = fpmProcesses(server)
    t.ok(pids.length > 0)
    await server.stop()
    t.ok(await allEnd(pids))
  })
})

t.test('the directives of php8.2.load and php8.2.conf of Debian have their effect', { skip }, async (t) => {
  const server = await StagedServer.make(t)
  for (const name of ['page.php', 'page.phtml', 'archive.phar', 'source.phps', '.php', '.phtml', 'page.php.txt'])
    server.file(`htdocs/${name}`, '<?php echo "executed";')
  const conf = join(import.meta.dirname, 'fixtures/debian-php8.2.conf')
  server.configure(
    ...['authz_core', 'userdir'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'LoadModule php_module /usr/lib/apache2/modules/libphp8.2.so',
    readFileSync(conf, 'utf8'),
  )
  await server.start()
  for (const name of ['page.php', 'page.phtml', 'archive.phar'])
    t.match(await server.get(`/${name}`), { status: 200, body: /^executed$/ }, name)
  for (const name of ['source.phps', '.php', '.phtml']) t.match(await server.get(`/${name}`), { status: 403 }, name)
  t.match(await server.get('/page.php.txt'), { status: 200, body: '<?php echo "executed";' })
})

t.test('PHP-FPM ends with a server that was killed', { skip }, async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/x.php', '<?php echo "x";')
  server.configure(...LINES)
  await server.start()
  t.equal((await server.get('/x.php')).body, 'x')
  const pids = fpmProcesses(server)
  await server.stop('SIGKILL')
  t.ok(pids.length > 0 && (await allEnd(pids)))
})
