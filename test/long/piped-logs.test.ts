import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'

const OPEN = [
  `LoadModule authz_core_module ${join(MODULES, 'mod_authz_core.so')}`,
  '<Location />',
  'Require all granted',
  '</Location>',
].join('\n')

/** A server that answers, with `lines` in its configuration; not started. */
async function serverWith(t: Test, ...lines: readonly string[]): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.configure(OPEN, 'LogFormat "%U" path', ...lines)
  return server
}

/** A shell script in the server's root. The shell reads byte by byte: no line but the present one is in its hands. */
function script(server: StagedServer, name: string, body: string): string {
  const path = server.file(name, `#!/bin/sh\n${body.replaceAll('@ROOT@', server.root)}\n`)
  chmodSync(path, 0o755)
  return path
}

async function ask(server: StagedServer, from: number, to: number): Promise<string[]> {
  const paths = Array.from({ length: to - from + 1 }, (_, index) => `/${from + index}`)
  for (const path of paths) await server.get(path)
  return paths
}

function lines(server: StagedServer, name: string): string[] {
  return existsSync(server.path(name)) ? server.read(name).split('\n').slice(0, -1) : []
}

/** Also true for a process that has ended and whose exit status the server has not collected yet, as it must. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

t.test('programs of all kinds have every line when the server has stopped', async (t) => {
  const server = await serverWith(
    t,
    'CustomLog "|/bin/cat" path',
    'CustomLog "|/usr/bin/tee -a \'@ROOT@/logs/a direct\'" path',
    'CustomLog "||/usr/bin/tee -a @ROOT@/logs/two-bars" path',
    'GlobalLog "|$cat | cat >> @ROOT@/logs/shell" path',
    'TransferLog "|$sed s/^.*GET.// >> @ROOT@/logs/transfer"',
  )
  await server.start()
  const asked = await ask(server, 1, 50)
  const run = await server.stop()
  t.equal(run?.status, 0)
  t.strictSame(
    [...(run?.stdout ?? [])].sort(),
    [...asked, ...asked, ...asked].sort(),
    'cat and both tees print where the server prints',
  )
  for (const name of ['a direct', 'two-bars', 'shell']) t.strictSame(lines(server, `logs/${name}`), asked, name)
  t.equal(lines(server, 'logs/transfer').length, 50)
  t.strictSame(readdirSync(server.path('logs')).sort(), ['a direct', 'error_log', 'shell', 'transfer', 'two-bars'])
})

t.test('collected lines reach the program, too', async (t) => {
  const server = await serverWith(t, 'BufferedLogs On', 'CustomLog "|$cat >> @ROOT@/logs/piped" path')
  await server.start()
  const asked = await ask(server, 1, 1000)
  await server.stop()
  t.strictSame(lines(server, 'logs/piped'), asked)
})

t.test('a server in the background works with programs as well', async (t) => {
  const server = await serverWith(t, 'CustomLog "|$cat >> @ROOT@/logs/piped" path')
  t.match(await server.run('-k', 'start'), { status: 0, stderr: [] })
  const pid = Number(server.read('logs/httpd.pid'))
  t.teardown(() => isRunning(pid) && process.kill(pid))
  const asked = await ask(server, 1, 20)
  t.match(await server.run('-k', 'stop'), { status: 0 })
  await until('the program has ended', () => !isRunning(pid))
  t.strictSame(lines(server, 'logs/piped'), asked)
})

t.test('all virtual hosts and workers share one program', async (t) => {
  const server = await serverWith(
    t,
    'WorkerProcesses 2',
    'CustomLog "|@ROOT@/program" path',
    '<VirtualHost *:*>',
    'ServerName other',
    'CustomLog "|@ROOT@/program" path',
    '</VirtualHost>',
  )
  script(server, 'program', 'echo start >> @ROOT@/logs/starts; cat >> @ROOT@/logs/piped')
  await server.start()
  for (let i = 0; i < 20; i++) await Promise.all([server.get('/main'), server.get('/other', { headers: { Host: 'other' } })])
  await server.stop()
  t.strictSame(lines(server, 'logs/starts'), ['start'])
  t.equal(lines(server, 'logs/piped').length, 40)
})

t.test('a program that dies is started again, and gets what its predecessor did not read', async (t) => {
  const server = await serverWith(t, 'CustomLog "|@ROOT@/mortal" path')
  script(
    server,
    'mortal',
    'while IFS= read -r line; do echo "$line" >> @ROOT@/logs/piped; case $line in /7|/30) exit 1;; esac; done',
  )
  await server.start()
  const asked = await ask(server, 1, 60)
  await server.stop()
  t.strictSame(lines(server, 'logs/piped'), asked, 'each line once and in order')
  const deaths = lines(server, 'logs/error_log').filter((line) => line.includes('AH00106'))
  const message = `AH00106: piped log program '${server.path('mortal')}' failed unexpectedly`
  t.strictSame(deaths, [message, message], 'the line has no time')
})

t.test('a program that was killed is followed by another at once', async (t) => {
  const server = await serverWith(t, 'CustomLog "|@ROOT@/program" path')
  script(server, 'program', 'echo $$ >> @ROOT@/logs/pids; exec cat >> @ROOT@/logs/piped')
  await server.start()
  const asked = await ask(server, 1, 5)
  await until('five lines are there', () => lines(server, 'logs/piped').length === 5)
  process.kill(Number(lines(server, 'logs/pids')[0]), 'SIGKILL')
  // A line that arrives before the program has ended may still be read by it.
  await until('a second program has started', () => lines(server, 'logs/pids').length === 2)
  asked.push(...(await ask(server, 6, 10)))
  await server.stop()
  t.strictSame(lines(server, 'logs/piped'), asked)
})

t.test('a stalled program stops neither requests nor the server, and lost lines are reported', async (t) => {
  const server = await serverWith(t, 'WorkerProcesses 1', `CustomLog "|/bin/sleep 600" "${'x'.repeat(4000)}"`)
  await server.start()
  for (let i = 0; i < 130; i++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.get('/')))
    if (!answers.every(({ status }) => status === 404)) t.fail('an answer is missing')
  }
  const run = await server.stop()
  t.equal(run?.status, 0)
  const errors = server.errors().filter((line) => line.includes('/bin/sleep'))
  t.match(errors, [
    /^\[core:warn\] \(11\)Resource temporarily unavailable: AH00646: Error writing to \|\/bin\/sleep 600$/,
    /^\[core:warn\] \d+ log lines could not be written to \|\/bin\/sleep 600$/,
  ])
  const lost = Number(/(\d+) log lines/.exec(errors[1] ?? '')?.[1])
  t.ok(lost > 1200 && lost <= 1300, `${lost} of 1300 lines: all that the pipe itself does not hold`)
})

t.test('a program that cannot be started ends the start', async (t) => {
  const server = await serverWith(t, 'CustomLog "|/nonexistent/program a b" path')
  t.match(await server.run('-t'), { status: 0, stderr: ['Syntax OK'] })
  const reason = "(2)No such file or directory: AH00104: unable to start piped log program '/nonexistent/program a b'"
  t.match(await server.run('-D', 'FOREGROUND'), { status: 1, stderr: [reason, 'AH00015: Unable to open logs'] })
  t.strictSame(lines(server, 'logs/error_log'), [reason, 'AH00015: Unable to open logs'])

  server.configure(OPEN, 'ErrorLog "|relative arguments"')
  t.match(await server.run('-k', 'start'), {
    status: 1,
    stderr: [
      "(2)No such file or directory: AH00089: Couldn't start ErrorLog process 'relative arguments'.",
      'AH00015: Unable to open logs',
      'hint: write the absolute path of the log program',
    ],
  })
  t.notOk(existsSync(server.path('logs/httpd.pid')))
})

t.test('a reload with a program that cannot be started leaves the server unchanged', async (t) => {
  const server = await serverWith(t, 'CustomLog "|$cat >> @ROOT@/logs/piped" path')
  const pid = await server.start()
  await server.get('/before')
  server.configure(OPEN, 'CustomLog "|/nonexistent/program" "%U"')
  process.kill(pid, 'SIGUSR1')
  await until('the reload is refused', () =>
    server.errors().some((line) => line.includes('the new configuration cannot be used')),
  )
  await server.get('/after')
  await server.stop()
  t.strictSame(lines(server, 'logs/piped'), ['/before', '/after'])
  t.equal(server.errors().filter((line) => line.includes('AH00104')).length, 1)
})

t.test('each generation has a separate program, and no reload loses or repeats a line', async (t) => {
  const server = await serverWith(t, 'CustomLog "|@ROOT@/program" path')
  script(
    server,
    'program',
    'echo start $$ >> @ROOT@/logs/life\nwhile IFS= read -r line; do echo "$$ $line" >> @ROOT@/logs/piped; done\necho end $$ >> @ROOT@/logs/life',
  )
  const pid = await server.start()
  const life = (event: string): string[] => lines(server, 'logs/life').filter((line) => line.startsWith(event))
  const asked: string[] = []
  for (let reload = 1; reload <= 3; reload++) {
    process.kill(pid, 'SIGUSR1')
    // Requests go on until the former program has read its last line.
    while (life('end').length < reload) {
      asked.push(...(await ask(server, asked.length + 1, asked.length + 10)))
      if (asked.length > 20_000) throw new Error('the former program never ends')
    }
  }
  asked.push(...(await ask(server, asked.length + 1, asked.length + 10)))
  await server.stop()
  const written = lines(server, 'logs/piped').map((line) => line.split(' '))
  t.strictSame(written.map(([, path]) => path).sort(), [...asked].sort(), 'each line once')
  t.strictSame(
    life('end').map((line) => line.slice(4)),
    life('start').map((line) => line.slice(6)),
    'they end in the order in which they began',
  )
  t.equal(new Set(written.map(([program]) => program)).size, 4, 'and each has written')
})

t.test('the error log can be a program, and has the last line of the supervisor, too', async (t) => {
  const server = await serverWith(
    t,
    'LogLevel info',
    'ErrorLog "|$cat >> @ROOT@/logs/piped"',
    'CustomLog "|$echo complaint >&2; cat >&2" path',
  )
  await server.start()
  await server.get('/missing')
  t.match(await server.stop(), { status: 0, stderr: [] })
  const errors = lines(server, 'logs/piped')
  for (const expected of [
    /\[mpm_event:notice\] .* AH00489: /,
    /\[core:info\] .* AH00128: File does not exist: /,
    /^complaint$/,
    /^\/missing$/,
  ]) {
    t.ok(
      errors.some((line) => expected.test(line)),
      `${expected}`,
    )
  }
  t.match(errors.filter((line) => line.startsWith('[')).at(-1), /AH00491: caught SIGTERM, shutting down$/)
  t.notOk(existsSync(server.path('logs/error_log')))
})

t.test('a virtual host can have a separate error log program', async (t) => {
  const server = await serverWith(
    t,
    'LogLevel info',
    '<VirtualHost *:*>',
    'ServerName other',
    'ErrorLog "|$cat >> @ROOT@/logs/other"',
    '</VirtualHost>',
  )
  await server.start()
  await server.get('/missing', { headers: { Host: 'other' } })
  await server.stop()
  t.match(lines(server, 'logs/other'), [/AH00128: File does not exist: /])
  t.match(server.errors().at(-1), /AH00491/)
})

t.test('the death of an error log program is logged through its successor', async (t) => {
  const server = await serverWith(t, 'ErrorLog "|@ROOT@/program"', 'LogLevel info')
  script(server, 'program', 'echo $$ >> @ROOT@/logs/pids; exec cat >> @ROOT@/logs/piped')
  await server.start()
  await until('the start is in the log', () => lines(server, 'logs/piped').some((line) => line.includes('AH00094')))
  process.kill(Number(lines(server, 'logs/pids')[0]), 'SIGKILL')
  await until('the death is in the log', () => lines(server, 'logs/piped').some((line) => line.includes('AH00106')))
  await server.get('/missing')
  await server.stop()
  t.match(lines(server, 'logs/piped').slice(-4), [
    `AH00106: piped log program '${server.path('program')}' failed unexpectedly`,
    /AH00128: File does not exist: /,
    /AH00096: /,
    /AH00491: /,
  ])
})

t.test('rotatelogs keeps every line', { skip: !existsSync('/usr/bin/rotatelogs') }, async (t) => {
  const server = await serverWith(t, `CustomLog "|/usr/bin/rotatelogs -n 3 @ROOT@/logs/rotated 1M" "%U ${'x'.repeat(2000)}"`)
  await server.start()
  const asked = await ask(server, 1, 800)
  await server.stop()
  const files = readdirSync(server.path('logs')).filter((name) => name.startsWith('rotated'))
  const written = files.flatMap((name) => lines(server, `logs/${name}`)).map((line) => line.split(' ', 1)[0])
  t.strictSame(written.sort(), [...asked].sort())
  t.ok(files.length > 1, 'and has rotated')
})

/** A program named `logger` that takes precedence over the system's. */
function fakeLogger(t: Test, server: StagedServer): void {
  script(server, 'bin/logger', 'echo "$@" > @ROOT@/logs/arguments; exec cat >> @ROOT@/logs/syslog')
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = `${server.path('bin')}${delimiter}${path}`
  t.teardown(() => {
    process.env['PATH'] = path
  })
}

t.test('syslog gets lines without time that begin with their severity', async (t) => {
  const server = await serverWith(t, 'ErrorLog syslog:Local3:web', 'LogLevel core:trace5')
  fakeLogger(t, server)
  await server.start()
  await server.get('/missing')
  await server.stop()
  t.strictSame(lines(server, 'logs/arguments'), ['--prio-prefix --size 8192 -p local3.notice -t web'])
  const logged = lines(server, 'logs/syslog')
  t.ok(logged.length > 0)
  t.ok(
    logged.every((line) => /^<[4-7]>\[\w+:\w+\] \[pid \d+:tid \d+\] /.test(line)),
    logged.join('\n'),
  )
  t.ok(logged.some((line) => /^<6>\[core:info\] .*AH00128: /.test(line)))
  t.notOk(
    logged.some((line) => line.includes('AH00489')),
    'to a notice the level applies here',
  )
})

t.test('a facility that is none is found by -t', async (t) => {
  const server = await serverWith(t, 'ErrorLog syslog:nofac')
  for (const option of ['-t', '-X']) {
    const run = await server.run(option)
    t.equal(run.status, 1)
    t.strictSame(run.stderr.slice(0, 2), [
      'AH10036: httpd: could not open syslog error log nofac.',
      'AH00015: Unable to open logs',
    ])
    t.match(run.stderr[2], /^hint: a facility is one of auth, /)
  }
})
