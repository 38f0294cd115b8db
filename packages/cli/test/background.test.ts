import { once } from 'node:events'
import { existsSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildProgram, freePort, gone, Site } from './fixtures/site.ts'

const program = await buildProgram(t.testdir({}))
const site = async (t: Test): Promise<Site> => new Site(program, t.testdir({}), await freePort())

t.test('-k start, restart, graceful and stop work on a server in the background', async (t) => {
  const made = await site(t)
  t.strictSame(await made.run('-k', 'start'), { status: 0, stdout: [], stderr: [] })
  const pid = made.pid()
  t.teardown(() => {
    if (existsSync(join(made.root, 'logs/httpd.pid'))) process.kill(pid, 'SIGKILL')
  })
  t.strictSame(await made.get(), { status: 200, body: 'f\n' }, 'it serves as soon as the command is over')
  t.strictSame(await made.run('-k', 'start'), { status: 0, stdout: [`httpd (pid ${pid}) already running`], stderr: [] })

  made.configure('ErrorDocument 404 restarted')
  t.strictSame(await made.run('-k', 'restart'), { status: 0, stdout: [], stderr: [] })
  await made.until(({ body }) => body === 'restarted', '/none')
  made.configure('ErrorDocument 404 graceful')
  t.equal((await made.run('-k', 'graceful')).status, 0)
  await made.until(({ body }) => body === 'graceful', '/none')

  made.configure('NoSuchDirective on')
  t.equal((await made.run('-k', 'graceful')).status, 1)
  process.kill(pid, 'SIGUSR1')
  for (let attempt = 0; attempt < 200 && !made.log().some((line) => line.includes('cannot be used')); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  t.match(made.log().slice(-4)[1], /^AH00526: Syntax error on line \d+ of /, 'a broken configuration is told in the log')
  t.equal((await made.get('/none')).body, 'graceful')

  made.configure()
  t.strictSame(await made.run('-k', 'stop'), { status: 0, stdout: [], stderr: [] })
  await gone(pid)
  t.notOk(existsSync(join(made.root, 'logs/httpd.pid')))
})

t.test('-k restart starts a server that does not run', async (t) => {
  const made = await site(t)
  t.strictSame(await made.run('-k', 'restart'), { status: 0, stdout: ['httpd not running, trying to start'], stderr: [] })
  const pid = made.pid()
  t.equal((await made.get()).status, 200)
  process.kill(pid, 'SIGTERM')
  await gone(pid)
})

t.test('a failed start in the background reports the reason and ends with status 1', async (t) => {
  const made = await site(t)
  const other = net.createServer().listen(made.port, '127.0.0.1')
  await once(other, 'listening')
  const { status, stderr } = await made.run()
  other.close()
  t.equal(status, 1)
  t.strictSame(stderr.slice(0, 3), [
    `(98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:${made.port}`,
    'no listening sockets available, shutting down',
    'AH00015: Unable to open logs',
  ])
  t.match(stderr[3], /^hint: Listen 127\.0\.0\.1:/)
})
