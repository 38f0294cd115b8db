import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Field } from '../packages/http2/test/support/frames.ts'
import { freePort } from './fixtures/free-port.ts'
import { MODULES } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'
import { FrameSocket } from './http2/frame-socket.ts'
import { HOSTILE_REQUESTS, type HostileRequest } from './http2/hostile-requests.ts'
import { RecordingBackend } from './http2/recording-back-end.ts'
import { GATEWRIGHT, HTTPD, type Kind, NGINX, ProxyServer } from './smuggling-pairs/proxy-server.ts'

/** What a proxy forwards to. */
interface Back {
  readonly port: number
  /** `STATUS METHOD TARGET VERSION` of each request. */
  lines(): readonly string[]
  stop(): Promise<void>
}

/** Ms between a head and its body: a proxy may begin to forward. No result depends on it. */
const BETWEEN = 10

const folder = t.testdir()
chmodSync(folder, 0o755)

async function frontOf(t: Test, port: number): Promise<ProxyServer> {
  const front = await ProxyServer.start(GATEWRIGHT, folder, await freePort(), [
    `LoadModule http2_module ${join(MODULES, 'mod_http2.mjs')}`,
    'Protocols h2c http/1.1',
    'ProxyPreserveHost On',
    // One connection, on which anything that is left over meets the next request.
    `ProxyPass "/" "http://127.0.0.1:${port}/" retry=0 max=1`,
  ])
  t.teardown(() => front.stop())
  return front
}

function numbered(text: string, number: number): string {
  return text.replaceAll('case-@', `case-${number}`)
}

/** Sends a request, and waits for the end of its stream. */
async function send(
  client: FrameSocket,
  stream: number,
  { fields, body, trailers }: HostileRequest,
  number: number,
): Promise<void> {
  const own = fields.map(([name, value]): Field => [name, numbered(value, number)])
  client.head(stream, own, body === undefined)
  if (body !== undefined) {
    await pause(BETWEEN)
    for (let at = 0; at < body.length; at += 16_000) {
      const piece = body.slice(at, at + 16_000)
      client.send(0, trailers === undefined && at + 16_000 >= body.length ? 1 : 0, stream, piece)
    }
    if (trailers !== undefined) {
      await pause(BETWEEN)
      client.head(stream, trailers)
    }
  }
  await client.until(() => isOver(client, stream))
}

function isOver(client: FrameSocket, stream: number): boolean {
  return client.frames.some(
    (frame) => frame.stream === stream && (frame.type === 3 || (frame.type < 2 && (frame.flags & 1) === 1)),
  )
}

function statusOf(client: FrameSocket, stream: number): string {
  const head = client.frames.findLast((frame) => frame.stream === stream && frame.type === 1)
  return head?.fields.find(([name]) => name === ':status')?.[1] ?? 'reset'
}

function sawOf(client: FrameSocket, stream: number): string {
  const head = client.frames.findLast((frame) => frame.stream === stream && frame.type === 1)
  return head?.fields.find(([name]) => name === 'x-saw')?.[1] ?? ''
}

async function throughTo(t: Test, back: Back): Promise<void> {
  const front = await frontOf(t, back.port)
  const client = await FrameSocket.begin({ port: front.port })
  t.teardown(() => client.destroy())
  let stream = 1
  const follow = async (path: string): Promise<void> => {
    client.head(stream, [
      [':method', 'GET'],
      [':scheme', 'http'],
      [':authority', 'localhost'],
      [':path', path],
    ])
    const own = stream
    stream += 2
    await client.until(() => isOver(client, own))
    t.equal(sawOf(client, own), `GET ${path}`, `${path} has its own answer`)
  }
  const outcomes: string[] = []
  for (const [number, request] of HOSTILE_REQUESTS.entries()) {
    await send(client, stream, request, number)
    outcomes.push(statusOf(client, stream))
    stream += 2
    await follow(`/after-${number}`)
  }
  await follow('/last')
  t.equal(client.goaway, null, 'the connection persists')
  await until('the log of the backend is complete', () => back.lines().some((line) => line.includes(' /last ')))
  const lines = back.lines()
  for (const [number, { name, fate }] of HOSTILE_REQUESTS.entries()) {
    const seen = lines.filter((line) => targetOf(number).test(line))
    const outcome = outcomes[number]
    t.ok(seen.length <= 1, `${name}: at most one request`)
    if (fate === 'reset') t.equal(outcome, 'reset', name)
    else if (fate !== 'cut') t.notMatch(outcome, 'reset', name)
    if (fate === 'refused') t.match([outcome, seen.length], [/^4/, 0], name)
    if (fate === 'passed') t.equal(seen.length, 1, `${name}: reaches the backend`)
    if (back instanceof RecordingBackend) checkBody(t, back, number)
  }
  const strange = lines.filter(
    (line) => !/^\d{3} [A-Z]+ (\/other\.test)?\/(case|after)-\d+\S* HTTP|^200 GET \/last HTTP/.test(line),
  )
  t.same(strange, [], 'no request that nobody has sent')
  t.equal(lines.filter((line) => line.includes('/after-')).length, HOSTILE_REQUESTS.length, 'each of the others once')
}

function targetOf(number: number): RegExp {
  return new RegExp(`/case-${number}(?!\\d)`)
}

/** A body that the backend has seen whole is the one that was sent. */
function checkBody(t: Test, back: RecordingBackend, number: number): void {
  const { name, body = '', fate } = HOSTILE_REQUESTS[number]
  const seen = back.bodyOf(targetOf(number))
  if (fate === 'passed') t.equal(seen, body, `${name}: its body`)
  else t.equal(seen, null, `${name}: nothing`)
}

t.test('no hostile request over HTTP/2 becomes another one at a backend that records bodies', async (t) => {
  const back = await RecordingBackend.start()
  t.teardown(() => back.stop())
  await throughTo(t, back)
})

for (const kind of [GATEWRIGHT, NGINX, HTTPD]) {
  const skip = isInstalled(kind) ? false : `${kind.program} is not installed`
  t.test(`no hostile request over HTTP/2 becomes another one at ${kind.name}`, { skip }, async (t) => {
    const back = await ProxyServer.start(kind, folder, await freePort())
    t.teardown(() => back.stop())
    await throughTo(t, back)
  })
}

function isInstalled({ program }: Kind): boolean {
  return program.includes('/') || spawnSync(program, ['-v']).status === 0
}
