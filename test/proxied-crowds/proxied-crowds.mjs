#!/usr/bin/env node
// npm run proxied-crowds [-- --websockets 2000 --uploads 1000 --seconds 5]: through one worker that passes requests on, the
// memory of an idle WebSocket, and what an ordinary client notices of many slow uploads.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import { Crowd } from '../slow/crowd.mjs'
import { visit } from '../slow/visitor.mjs'
import { idleMemory } from '../tls-memory/memory-of.ts'

const WEBSOCKETS = {
  opening:
    'GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  drip: '',
  reads: 'all',
}
const UPLOADS = {
  opening: 'POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n',
  drip: 'x'.repeat(100),
  reads: 'all',
}
/** Tunnels that make what all others share. */
const FIRST = 50

const { values } = parseArgs({
  options: {
    websockets: { type: 'string', default: '2000' },
    uploads: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
  },
})
const ends = []
try {
  const { server, tunnels } = await start({ teardown: (end) => void ends.push(end) })
  await measureUploads(server, number('uploads'))
  await measureTunnels(server, tunnels, number('websockets'))
} finally {
  for (const end of ends.reverse()) await end()
}

async function start(owner) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crowd-back-end.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owner.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  const server = await StagedServer.make(owner)
  server.configure(
    ...['authz_core', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'Timeout 3600',
    'MaxRequestWorkers 20000',
    `ProxyPass "/" "http://127.0.0.1:${port}/" upgrade=websocket`,
  )
  await server.start()
  const tunnels = async () => Number(await (await fetch(`http://127.0.0.1:${port}/tunnels`)).text())
  return { server, tunnels }
}

async function measureUploads({ port }, count) {
  await visit(port, 1)
  const alone = await visit(port, number('seconds'))
  const crowd = new Crowd(UPLOADS, port)
  try {
    await crowd.gather(count)
    const beside = await visit(port, number('seconds'))
    console.log(`no upload              ${described(alone)}`)
    console.log(`${`${crowd.open} slow uploads`.padEnd(22)} ${described(beside)}`)
    if (beside.failed > 0 || crowd.open < count || crowd.again > 0) {
      console.log(`FAILED: ${beside.failed} requests, and ${crowd.again} uploads that the server ended`)
      process.exitCode = 1
    }
  } finally {
    await crowd.disperse()
  }
}

async function measureTunnels({ pid, port }, tunnels, count) {
  const first = new Crowd(WEBSOCKETS, port)
  await first.gather(FIRST)
  await until('the first tunnels are open', async () => (await tunnels()) === FIRST)
  await first.disperse()
  await until('the first tunnels are closed', async () => (await tunnels()) === 0)
  const before = await idleMemory(pid)
  const crowd = new Crowd(WEBSOCKETS, port)
  try {
    await crowd.gather(count)
    await until('all tunnels are open', async () => (await tunnels()) >= count)
    const after = await idleMemory(pid)
    console.log(`${`${count} idle WebSockets`.padEnd(22)} ${((after - before) / count).toFixed(1)} KiB each`)
  } finally {
    await crowd.disperse()
  }
}

function described({ p50, p99, requests, failed }) {
  return `${requests} requests of an ordinary client: median ${p50.toFixed(1)} ms, 99 % ${p99.toFixed(1)} ms, ${failed} failed`
}

function number(name) {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a number from 1`)
  return value
}
