// The order in which responses of one connection are sent follows their priorities (RFC 9218), given by a field or an update, at
// this server, and at nghttpd if it is installed (nghttp2-server).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seededNumbers, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import http2 from '../modules/mod_http2/src/index.ts'
import { ByteWriter } from '../packages/http2/src/byte-writer.ts'
import { HpackEncoder } from '../packages/http2/src/hpack/index.ts'
import { freePort } from './fixtures/free-port.ts'
import { canConnect } from './fixtures/staged-server.ts'
import { END_HEADERS, END_STREAM, frame, SETTING, settings, TYPE, uint32 } from './interleave-http2/frames.ts'
import { isInstalled } from './probes/servers/foreground.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const CONTENT = 'x'.repeat(50_000)
const TRIALS = 25
const WIDE = 10_000_000

interface Wanted {
  readonly stream: number
  readonly urgency: number
  readonly incremental: boolean
  /** Whether an update gives the priority, after a field with another one. */
  readonly isUpdated: boolean
}

function randomStreams(seed: number): readonly Wanted[] {
  const below = seededNumbers(seed * 7919 + 1)
  for (let i = 0; i < 3; i++) below(2)
  return Array.from({ length: 2 + below(6) }, (_, index) => ({
    stream: 2 * index + 1,
    urgency: [0, 3, 3, 5, 7][below(5)],
    incremental: below(2) === 0,
    isUpdated: below(3) === 0,
  }))
}

/** The streams of all frames of DATA in their order: no window is open before everything was asked. */
async function orderOf(port: number, streams: readonly Wanted[]): Promise<readonly number[]> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const encoder = new HpackEncoder()
  const parts = [PREFACE, settings([[SETTING.initialWindowSize, 0]])]
  for (const { stream, urgency, incremental, isUpdated } of streams) {
    const priority = `u=${urgency}${incremental ? ', i' : ''}`
    const writer = new ByteWriter()
    encoder.begin(writer)
    const fields = [
      [':method', 'GET'],
      [':scheme', 'http'],
      [':path', '/f.txt'],
      [':authority', 'localhost'],
    ]
    for (const [name, value] of [...fields, ['priority', isUpdated ? 'u=6' : priority]]) encoder.field(writer, name, value)
    parts.push(frame(TYPE.headers, END_HEADERS | END_STREAM, stream, writer.copy()))
    if (isUpdated) parts.push(frame(TYPE.priorityUpdate, 0, 0, Buffer.concat([uint32(stream), Buffer.from(priority)])))
  }
  socket.write(Buffer.concat(parts))
  const order: number[] = []
  let heads = 0
  let left = streams.length
  let rest: Buffer = Buffer.alloc(0)
  let changed: () => void = () => {}
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const [type, flags, stream] = [rest[3], rest[4], rest.readUInt32BE(5)]
      rest = rest.subarray(9 + rest.readUIntBE(0, 3))
      if (type === TYPE.headers) heads++
      if (type === TYPE.data) order.push(stream)
      if (type === TYPE.data && (flags & END_STREAM) !== 0) left--
    }
    changed()
  })
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds() && !socket.closed)
      await new Promise<void>((resolve) => {
        changed = resolve
        socket.once('close', resolve)
      })
  }
  await until(() => heads === streams.length)
  socket.write(Buffer.concat([frame(TYPE.windowUpdate, 0, 0, uint32(WIDE)), settings([[SETTING.initialWindowSize, WIDE]])]))
  await until(() => left === 0)
  socket.destroy()
  return order
}

/** What of the order is against RFC 9218 section 10; '' for nothing. */
function fault(streams: readonly Wanted[], order: readonly number[]): string {
  for (const one of streams) {
    for (const other of streams) {
      const [first, last] = [order.indexOf(other.stream), order.lastIndexOf(one.stream)]
      if (one.urgency < other.urgency && first < last) return `stream ${other.stream} before the end of ${one.stream}`
      const isBefore = one.urgency === other.urgency && one.stream < other.stream
      if (isBefore && !one.incremental && !other.incremental && first < last) return `${other.stream} is not after ${one.stream}`
      if (isBefore && one.incremental && other.incremental && first > last)
        return `${one.stream} and ${other.stream} do not share`
    }
  }
  return ''
}

/** @param updates whether priorities are also given by updates */
async function follows(t: Test, port: number, updates: 'with updates' | 'fields only'): Promise<void> {
  for (let seed = 1; seed <= TRIALS; seed++) {
    const random = randomStreams(seed)
    const streams = updates === 'with updates' ? random : random.map((one) => ({ ...one, isUpdated: false }))
    const order = await orderOf(port, streams)
    t.equal(fault(streams, order), '', `${JSON.stringify(streams)} ${order}`)
  }
}

t.test('responses are sent by urgency; those of one urgency one by one, or by turns if they are incremental', async (t) => {
  const server = await site({ modules: [authzCore, http2], config: 'Protocols h2c http/1.1', files: { 'docs/f.txt': CONTENT } })
  t.teardown(() => server.close())
  await follows(t, await server.listen(), 'with updates')
})

t.test('nghttpd does the same', { skip: isInstalled('nghttpd') ? false : 'nghttpd is not installed' }, async (t) => {
  const folder = join(t.testdir(), 'docs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'f.txt'), CONTENT)
  const port = await freePort()
  const child = spawn('nghttpd', ['--no-tls', '--no-rfc7540-pri', '-d', folder, String(port)], { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })
  while (!(await canConnect(port, '127.0.0.1'))) await pause(20)
  // Its program does not ask nghttp2 for updates of priorities.
  await follows(t, port, 'fields only')
})
