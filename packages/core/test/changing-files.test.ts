import { closeSync, openSync, renameSync, truncateSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DECLINED, defineModule } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import deflate from '../../../modules/mod_deflate/src/index.ts'

/** More than the system buffers for a client that does not read. */
const SIZE = 24 * 1024 * 1024
const CONFIG = '<Directory "@ROOT@/docs">\nRequire all granted\n</Directory>\n'

interface Owner {
  teardown(end: () => unknown): void
}

interface Fetched {
  /** Content-Length, -1 without one. */
  readonly promised: number
  readonly body: Buffer
}

interface Scene {
  /** Requests the file, and reads only its beginning until it has been changed. */
  fetchWhile(change: (file: string) => void, fields?: string): Promise<Fetched>
  readonly errors: () => string[]
}

async function scene(t: Owner, config = ''): Promise<Scene> {
  const files = { 'docs/large.txt': Buffer.alloc(SIZE, 'a') }
  const server = await site({ modules: [authzCore, deflate], config: CONFIG + config, files })
  t.teardown(() => server.close())
  const port = await server.listen()
  const file = join(server.serverRoot, 'docs/large.txt')
  return {
    errors: () => server.errors().map((line) => line.replace(/^.*\] /, '').replaceAll(server.serverRoot, '@ROOT@')),
    fetchWhile: (change, fields = '') =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = []
        const socket = connect({ host: '127.0.0.1', port })
        t.teardown(() => socket.destroy())
        socket.write(`GET /large.txt HTTP/1.1\r\nHost: localhost\r\n${fields}Connection: close\r\n\r\n`)
        socket.once('data', () => {
          socket.pause()
          change(file)
          socket.resume()
        })
        socket.on('data', (chunk) => chunks.push(chunk))
        socket.on('error', reject)
        socket.on('close', () => {
          const all = Buffer.concat(chunks)
          const end = all.indexOf('\r\n\r\n')
          const length = /^Content-Length: (\d+)\r$/m.exec(all.toString('latin1', 0, end + 2))?.[1]
          resolve({ promised: Number(length ?? -1), body: all.subarray(end + 4) })
        })
      }),
  }
}

t.test('a file that becomes shorter while it is sent ends the connection before its length is reached', async (t) => {
  const { fetchWhile, errors } = await scene(t)
  const { promised, body } = await fetchWhile((file) => truncateSync(file, 1000))
  t.equal(promised, SIZE)
  t.ok(body.length < SIZE, `${body.length} bytes came`)
  t.ok(body.equals(Buffer.alloc(body.length, 'a')), 'and only those of the file')
  t.match(errors(), ['a response could not be completed: @ROOT@/docs/large.txt became shorter while it was sent'])
})

t.test('a file that is written anew while it is sent is not passed off as one version', async (t) => {
  const { fetchWhile, errors } = await scene(t)
  const { body } = await fetchWhile((file) => writeFileSync(file, Buffer.alloc(SIZE, 'b'), { flag: 'r+' }))
  t.ok(body.length < SIZE, `${body.length} bytes came`)
  t.match(errors(), ['a response could not be completed: @ROOT@/docs/large.txt was changed while it was sent'])
})

t.test('the same holds for a file that is compressed on its way', async (t) => {
  const { fetchWhile, errors } = await scene(t, 'SetOutputFilter DEFLATE\nDeflateCompressionLevel 1\n')
  const shorten = (file: string): void => truncateSync(file, 1000)
  const { promised, body } = await fetchWhile(shorten, 'Accept-Encoding: gzip\r\n')
  t.equal(promised, -1)
  t.not(body.toString('latin1', body.length - 5), '0\r\n\r\n', 'the last chunk is missing')
  t.match(errors(), ['a response could not be completed: @ROOT@/docs/large.txt became shorter while it was sent'])
})

t.test('a file that grows while it is sent is sent with its former length', async (t) => {
  const { fetchWhile, errors } = await scene(t)
  const { promised, body } = await fetchWhile((file) => writeFileSync(file, 'more', { flag: 'a' }))
  t.equal(promised, SIZE)
  t.equal(body.length, SIZE)
  t.strictSame(errors(), [])
})

t.test('a file that is replaced by another while it is sent is sent to its end', async (t) => {
  const { fetchWhile, errors } = await scene(t)
  const { body } = await fetchWhile((file) => {
    writeFileSync(`${file}.new`, 'new')
    renameSync(`${file}.new`, file)
  })
  t.ok(body.equals(Buffer.alloc(SIZE, 'a')))
  t.strictSame(errors(), [])
})

t.test('a range of a file that changes is broken off as well', async (t) => {
  const { fetchWhile, errors } = await scene(t)
  const shorten = (file: string): void => truncateSync(file, 1000)
  const { promised, body } = await fetchWhile(shorten, `Range: bytes=1-${SIZE - 2},${SIZE - 1}-\r\n`)
  t.ok(promised > 0 && body.length < promised)
  t.match(errors(), [/became shorter/])
})

for (const [what, size] of [
  ['a small file', 100],
  ['a large file', 100_000],
] as const) {
  t.test(`${what} that changes while its request waits is described as it is when it is sent`, async (t) => {
    const server = await site({ modules: [authzCore, patient], config: CONFIG, files: { 'docs/f.txt': Buffer.alloc(size, 'a') } })
    t.teardown(() => server.close())
    const before = await server.inject('/f.txt')
    waiting = () => {
      const fd = openSync(join(server.serverRoot, 'docs/f.txt'), 'r+')
      writeSync(fd, 'changed')
      closeSync(fd)
      utimesSync(join(server.serverRoot, 'docs/f.txt'), 1_600_000_000, 1_600_000_000)
    }
    t.teardown(() => {
      waiting = () => undefined
    })
    const after = await server.inject('/f.txt')
    t.equal(after.status, 200)
    t.ok(after.body.startsWith('changed'))
    t.equal(after.header('Last-Modified'), 'Sun, 13 Sep 2020 12:26:40 GMT')
    t.not(after.header('ETag'), before.header('ETag'))
  })
}

let waiting: () => void = () => undefined

/** Requests wait for a turn of the loop, as they do for a password. */
const patient = defineModule({
  name: 'patient_module',
  source: 'mod_patient.c',
  register({ hooks }) {
    hooks.fixups.add(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      waiting()
      return DECLINED
    })
  },
})
