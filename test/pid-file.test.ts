import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync } from 'node:fs'
import t from 'tap'
import { isRunning } from './fixtures/processes.ts'
import { canConnect, StagedServer } from './fixtures/staged-server.ts'

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

t.test('the pid file of a server that has crashed is taken over with a warning', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const file = server.file('logs/httpd.pid', `${await deadPid()}\n`)
  const pid = await server.start()
  t.equal(server.read('logs/httpd.pid'), `${pid}\n`)
  t.ok(
    server.errors().includes(`[core:warn] AH00098: pid file ${file} overwritten -- Unclean shutdown of previous Apache run?`),
    server.errors().join('\n'),
  )
  t.match(await server.stop(), { status: 0 })
  t.notOk(existsSync(file))
})

t.test('an unrelated process with the number of a crashed server is neither treated as the server nor signalled', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const stranger = spawn('sleep', ['60'])
  t.teardown(() => stranger.kill('SIGKILL'))
  await once(stranger, 'spawn')
  const file = server.file('logs/httpd.pid', `${stranger.pid}\n`)
  const yesterday = Date.now() / 1000 - 86_400
  utimesSync(file, yesterday, yesterday)
  for (const verb of ['stop', 'graceful-stop'])
    t.strictSame(await server.run('-k', verb), { status: 0, stdout: [`httpd (pid ${stranger.pid}?) not running`], stderr: [] })
  t.ok(isRunning(stranger.pid ?? 0))
  const pid = await server.start()
  t.equal(server.read('logs/httpd.pid'), `${pid}\n`)
  t.match(server.errors()[0], /AH00098: pid file \S+ overwritten/)
  t.strictSame(await server.run('-k', 'stop'), { status: 0, stdout: [], stderr: [] })
  t.ok(isRunning(stranger.pid ?? 0))
})

t.test('a pid file without a number ends the start and every signal, and stays', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const file = server.file('logs/httpd.pid', 'not a number\n')
  for (const args of [
    ['-D', 'FOREGROUND'],
    ['-k', 'stop'],
    ['-k', 'graceful'],
  ]) {
    const { status, stderr } = await server.run(...args)
    t.equal(status, 1, args.join(' '))
    t.match(
      stderr.join('\n'),
      `AH00058: Error retrieving pid file ${file}\nAH00059: Remove it before continuing if it is corrupted.`,
    )
  }
  t.equal(server.read('logs/httpd.pid'), 'not a number\n')
  t.notOk(await canConnect(server.port))
})

t.test('a second server with the same pid file does not start, and the first continues', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const pid = await server.start()
  t.match(await server.run('-D', 'FOREGROUND'), { status: 0, stdout: [`httpd (pid ${pid}) already running`] })
  t.equal(server.read('logs/httpd.pid'), `${pid}\n`)
  t.ok(await canConnect(server.port))
})

t.test('a relative pid file is below the ServerRoot, as in httpd, also with a DefaultRuntimeDir', async (t) => {
  const server = await StagedServer.make(t)
  server.file('run/keep', '')
  server.configure('DefaultRuntimeDir run', 'PidFile logs/own.pid')
  const pid = await server.start()
  t.equal(server.read('logs/own.pid'), `${pid}\n`)
  t.match(await server.stop(), { status: 0 })
})
