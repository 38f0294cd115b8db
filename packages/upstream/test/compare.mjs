// Prints the CPU time of one exchange with a backend over kept connections, for this package and for node:http:
// node --conditions=gatewright-source packages/upstream/test/compare.mjs
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const BODY = 'x'.repeat(1024)
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
if (process.argv[2] === 'backend') {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write(ANSWER))
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
} else {
  const { ConnectionPool, HttpClientExchange, RESPONSE_LIMITS } = await import('../src/index.ts')
  const child = fork(fileURLToPath(import.meta.url), ['backend'], { execArgv: process.execArgv })
  const port = await new Promise((resolve) => child.once('message', resolve))
  const pool = new ConnectionPool({
    target: { host: '127.0.0.1', port },
    tls: null,
    max: 32,
    min: 0,
    smax: -1,
    ttl: 0,
    acquireTimeout: -1,
    queue: -1,
    connectTimeout: 0,
    keepAlive: false,
    reuse: true,
  })
  const head = `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Keep-Alive\r\n\r\n`
  const sent = {
    head,
    method: 'GET',
    body: null,
    framing: 'none',
    upgrade: false,
    limits: RESPONSE_LIMITS,
    timeout: 60_000,
    pingTimeout: 0,
    badHeader: 'error',
    http09: 'accepted',
  }
  const own = () =>
    new Promise((resolve, reject) => {
      let bytes = 0
      pool.acquire({
        onConnection: (connection) =>
          new HttpClientExchange(connection, sent, {
            onInterim() {},
            onHead() {},
            onData(chunk) {
              bytes += chunk.length
            },
            onEnd: () => resolve(bytes),
            onError: reject,
          }),
        onError: reject,
      })
    })
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const node = () =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path: '/x', agent }, (response) => {
        let bytes = 0
        response.on('data', (chunk) => {
          bytes += chunk.length
        })
        response.on('end', () => resolve(bytes))
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
  const COUNT = 5000
  async function run(one) {
    const before = process.cpuUsage()
    let left = COUNT
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (left-- > 0) if ((await one()) !== BODY.length) throw new Error('short')
      }),
    )
    const used = process.cpuUsage(before)
    return (used.user + used.system) / COUNT
  }
  const rows = { own: [], node: [] }
  for (let round = 0; round < 6; round++)
    for (const [name, one] of [
      ['own', own],
      ['node', node],
    ])
      rows[name].push(await run(one))
  const median = (list) => [...list.slice(1)].sort((a, b) => a - b)[2]
  console.log(
    `own ${median(rows.own).toFixed(1)} us, node:http ${median(rows.node).toFixed(1)} us, ratio ${(median(rows.node) / median(rows.own)).toFixed(2)}`,
  )
  pool.close()
  agent.destroy()
  child.kill()
}
