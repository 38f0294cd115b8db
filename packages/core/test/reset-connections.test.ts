import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DECLINED, defineModule, OK } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import deflate from '../../../modules/mod_deflate/src/index.ts'
import { partsOf } from '../src/host/loaded-parts.ts'

const CLIENTS = 20
/** More than the system buffers for a client that does not read. */
const LARGE = 16 * 1024 * 1024
const CONFIG = `
<Directory "@ROOT@/docs">
  Require all granted
</Directory>
<Location "/large.txt">
  SetOutputFilter DEFLATE
</Location>
<Location "/waits">
  SetHandler waiting
</Location>
<Location "/streams">
  SetHandler streaming
</Location>
`
const GET = 'HTTP/1.1\r\nHost: localhost\r\n'

const IDENTITY = { slot: 0, generation: 0, stopping: false }

type Activity = 'reading' | 'working' | 'writing' | 'keepAlive' | 'closing'

interface State {
  readonly name: string
  readonly sends: string
  readonly activity: Activity
}

/** The states of a connection in which its client can reset it. */
const STATES: readonly State[] = [
  { name: 'before its first byte', sends: '', activity: 'reading' },
  { name: 'in a request line', sends: 'GET /sm', activity: 'reading' },
  { name: 'in its fields', sends: `GET /small.txt ${GET}X-Test`, activity: 'reading' },
  { name: 'in a body with a length', sends: `POST /small.txt ${GET}Content-Length: 10\r\n\r\n123`, activity: 'working' },
  { name: 'in a chunk', sends: `POST /small.txt ${GET}Transfer-Encoding: chunked\r\n\r\n5\r\n12`, activity: 'working' },
  {
    name: 'behind a 100 (Continue)',
    sends: `POST /small.txt ${GET}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`,
    activity: 'working',
  },
  { name: 'while a module waits', sends: `GET /waits ${GET}\r\n`, activity: 'working' },
  { name: 'in a stream', sends: `GET /streams ${GET}\r\n`, activity: 'working' },
  { name: 'in a large file', sends: `GET /large.txt ${GET}\r\n`, activity: 'working' },
  {
    name: 'in ranges of a large file',
    sends: `GET /large.txt ${GET}Range: bytes=0-9999999,10000001-\r\n\r\n`,
    activity: 'working',
  },
  { name: 'in a file that is compressed', sends: `GET /large.txt ${GET}Accept-Encoding: gzip\r\n\r\n`, activity: 'working' },
  { name: 'between two requests', sends: `GET /small.txt ${GET}\r\n`, activity: 'keepAlive' },
  { name: 'in the second of two requests', sends: `GET /small.txt ${GET}\r\nGET /waits ${GET}\r\n`, activity: 'working' },
  { name: 'behind an answer that ends it', sends: `GET / HTTP/1.1\r\n\r\nmore`, activity: 'closing' },
]

let waiting: (() => void)[] = []

function release(): void {
  for (const go of waiting.splice(0)) go()
}

const patient = defineModule({
  name: 'patient_module',
  source: 'mod_patient.c',
  register({ hooks }) {
    hooks.handler.add(async (request) => {
      if (request.handler === 'streaming') {
        request.contentType = 'text/plain'
        request.respond(endless())
        return OK
      }
      if (request.handler !== 'waiting') return DECLINED
      await new Promise<void>((resolve) => {
        waiting = [...waiting, resolve]
      })
      return request.send('text/plain', 'waited')
    })
  },
})

t.test('after a reset no connection, descriptor or request remains', async (t) => {
  const files = { 'docs/small.txt': 'small', 'docs/large.txt': noise(LARGE) }
  const server = await site({ modules: [authzCore, deflate, patient], config: CONFIG, files })
  t.teardown(() => server.close())
  const port = await server.listen()
  const serving = partsOf(server.configuration).host
  const { engine } = serving
  const doing = (activity: Activity): number => {
    const { reading, writing, keepAlive, closing } = engine.activities()
    return { reading, writing, keepAlive, closing, working: engine.connections - reading - writing - keepAlive - closing }[
      activity
    ]
  }
  for (const { name, sends, activity } of STATES) {
    const before = readdirSync('/proc/self/fd').length
    const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => client(t, port)))
    for (const socket of sockets) {
      socket.pause()
      if (sends !== '') socket.write(sends)
    }
    t.ok(await until(() => doing(activity) === CLIENTS), `${name}: all are ${activity}`)
    for (const socket of sockets) socket.resetAndDestroy()
    t.ok(await until(() => engine.connections === 0), `${name}: no connection is left`)
    t.ok(await until(() => readdirSync('/proc/self/fd').length <= before), `${name}: no descriptor is left`)
    release()
    t.ok(await until(() => serving.workerStatus(IDENTITY).busy === 0), `${name}: no request is left`)
  }
  t.match(await server.inject('/small.txt'), { status: 200, body: 'small' })
  t.strictSame(
    server.errors().filter((line) => /:(crit|alert|emerg)\]/.test(line)),
    [],
  )
})

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield 'x'.repeat(65_536)
    await pause(1)
  }
}

function client(t: { teardown(end: () => void): void }, port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

async function until(holds: () => boolean): Promise<boolean> {
  for (const end = performance.now() + 120_000; performance.now() < end && !holds(); ) await pause(5)
  return holds()
}

/** Bytes that compression does not shorten. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 1
  for (let at = 0; at < length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}
