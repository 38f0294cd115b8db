import { readFileSync } from 'node:fs'
import t from 'tap'
import { childrenOf } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

/** Evaluates an expression in the process that a debugger reaches at `url`. */
async function evaluate(url: string, expression: string): Promise<unknown> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`${url} does not answer`)))
  })
  const answer = new Promise<string>((resolve) => socket.addEventListener('message', ({ data }) => resolve(String(data))))
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  const { result } = JSON.parse(await answer)
  socket.close()
  return result.result.value
}

t.test('httpd -X --inspect lets a debugger of this machine reach the worker, and prints where', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    '<Location />',
    'Require all granted',
    '</Location>',
  )
  await server.start('-X', '--inspect=0')
  const [worker] = childrenOf(server.pid)
  const announced = (): string | undefined =>
    /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(readFileSync(server.path('logs/error_log'), 'utf8'))?.[0]
  await until('Node has announced its debugger', () => announced() !== undefined)
  const url = announced() ?? ''
  t.equal(await evaluate(url, 'process.pid'), worker, 'the worker is debugged, not its supervisor')
  t.equal((await server.get('/small.txt')).status, 200)
  const { stderr, status } = (await server.stop()) ?? { stderr: [], status: null }
  t.ok(
    stderr.some((line) => line.includes(`debugger: ${url} `)),
    'the console shows the URL',
  )
  t.equal(status, 0)
})

t.test('--inspect is refused without -X, and with anything but a port', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const without = await server.run('--inspect')
  t.match(without, { status: 1 })
  t.match(without.stderr[0], /--inspect requires -X/)
  for (const words of ['--inspect=0.0.0.0:9229', '--inspect=65536', '--inspect=']) {
    const refused = await server.run('-X', words)
    t.match(refused, { status: 1 }, words)
    t.match(refused.stderr[0], /--inspect takes a port/)
  }
})
