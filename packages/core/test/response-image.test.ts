import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Request } from '@gatewright/api'
import { type InjectOptions, rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import type { ResponseImage } from '../src/model/response-image.ts'
import { SmallFile } from '../src/services/file-cache.ts'
import { moduleOf, wordsModule } from './support/modules.ts'

/** Files of this time are old enough to be trusted. */
const LONG_AGO = 1_700_000_000
const COUNT = 300

/** A module's changes to a response, by the name that the client requests. */
const CHANGES: Readonly<Record<string, (request: Request) => void>> = {
  one: ({ headersOut }) => headersOut.set('X-A', '1'),
  two: ({ headersOut }) => headersOut.set('X-A', '2'),
  both: ({ headersOut, errHeadersOut }) => {
    headersOut.set('X-A', '1')
    errHeadersOut.set('X-B', '1')
  },
  always: ({ errHeadersOut }) => errHeadersOut.set('X-A', '1'),
  vary: ({ headersOut }) => {
    headersOut.add('Vary', 'a, b')
    headersOut.add('Vary', 'B')
  },
  varyDone: ({ headersOut }) => headersOut.set('Vary', 'a,b'),
  connection: ({ headersOut }) => headersOut.set('Connection', 'foo'),
  close: ({ headersOut }) => headersOut.set('Connection', 'close'),
  type: (request) => {
    request.contentType = 'text/other'
  },
  coding: (request) => {
    request.contentEncoding = 'x'
  },
  language: (request) => {
    request.contentLanguages = ['de']
  },
  unkept: ({ env }) => env.set('nokeepalive', '1'),
  gone: ({ headersOut }) => headersOut.unset('ETag'),
  refused: ({ headersOut }) => headersOut.set('X-Bad', 'a\x01'),
  none: () => undefined,
}

const VISITS: readonly Omit<InjectOptions, 'target'>[] = [
  {},
  {},
  {},
  { method: 'HEAD' },
  { headers: { Range: 'bytes=2-4' } },
  { headers: { Range: 'bytes=99-' } },
  { headers: { Connection: 'keep-alive' } },
  { version: 'HTTP/1.0' },
  { method: 'POST', body: 'x' },
  { headers: { 'If-Modified-Since': 'Fri, 01 Dec 2023 00:00:00 GMT' } },
]

async function servers(t: Test): Promise<TestServer> {
  const changer = moduleOf('changer', ({ hooks }) =>
    hooks.fixupHeaders.add((request) => CHANGES[request.headersIn.get('x-change') ?? 'none']?.(request)),
  )
  const files = Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`docs/once-${index}`, 'content']))
  const server = await site({
    config: 'FileETag MTime Size\nMaxKeepAliveRequests 0',
    modules: [wordsModule, changer],
    files: { ...files, 'docs/often': 'content' },
  })
  t.teardown(() => server.close())
  for (const name of [...Object.keys(files), 'docs/often']) utimesSync(join(server.serverRoot, name), LONG_AGO, LONG_AGO)
  return server
}

t.test('repeated requests for a file get the same response as the first one', async (t) => {
  const server = await servers(t)
  let seed = 11
  const pick = <T>(from: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[Math.floor((seed / 2_147_483_648) * from.length)]
  }
  const differing: string[] = []
  const statuses = new Set<number>()
  for (let index = 0; index < COUNT; index++) {
    const change = pick([...Object.keys(CHANGES), 'none', 'none', 'one'])
    const visit = pick(VISITS)
    const request = { ...visit, headers: { ...visit.headers, 'X-Change': change } }
    const often = await server.inject({ ...request, target: '/often' })
    const once = await server.inject({ ...request, target: `/once-${index}` })
    statuses.add(often.status)
    if (shown(often) !== shown(once)) differing.push(`${change} ${JSON.stringify(visit)}\n${shown(often)}\n${shown(once)}`)
  }
  t.strictSame(differing, [])
  t.strictSame([...statuses].sort(), [200, 206, 304, 416, 500])
})

function shown({ statusLine, headers, body }: Awaited<ReturnType<TestServer['inject']>>): string {
  return [statusLine, ...headers.filter(([name]) => name !== 'Date').map((field) => field.join(': ')), body].join('\n')
}

t.test('requests that are left count down in what is sent again', async (t) => {
  const server = await site({
    modules: [wordsModule],
    config: 'MaxKeepAliveRequests 6',
    files: { 'docs/often': 'content', 'docs/large': 'x'.repeat(20_000) },
  })
  t.teardown(() => server.close())
  for (const name of ['often', 'large']) utimesSync(join(server.serverRoot, 'docs', name), LONG_AGO, LONG_AGO)
  const port = await server.listen()
  for (const [name, content] of [['often', 'content'] as const, ['large', 'x'.repeat(20_000)] as const]) {
    const request = `GET /${name} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`
    const answers = (await rawExchange(port, request.repeat(8))).split(/(?=HTTP\/1\.1 )/)
    t.strictSame(
      answers.map((answer) => /^(?:Keep-Alive: (.*)\r\n)?Connection: (.*)\r\n/m.exec(answer)?.slice(1)),
      [...[6, 5, 4, 3, 2, 1].map((left) => [`timeout=5, max=${left}`, 'Keep-Alive']), [undefined, 'close']],
    )
    for (const answer of answers) t.ok(answer.endsWith(`\r\n\r\n${content}`))
  }
})

t.test('an edit counts with the next turn of the loop, whatever was sent before', async (t) => {
  const server = await servers(t)
  const file = join(server.serverRoot, 'docs/often')
  for (let round = 0; round < 5; round++) t.equal((await server.inject('/often')).body, 'content')
  writeFileSync(file, 'edited!')
  utimesSync(file, LONG_AGO + 1, LONG_AGO + 1)
  await turn()
  const edited = await server.inject('/often')
  t.equal(edited.body, readFileSync(file, 'latin1'))
  t.equal(edited.header('Last-Modified'), statSync(file).mtime.toUTCString())
})

t.test('the access log has the same items for a cached response as for others', async (t) => {
  const told: unknown[] = []
  const logger = moduleOf('logger', ({ hooks }) =>
    hooks.logTransaction.add((request) => told.push([request.status, request.uri])),
  )
  const server = await site({ modules: [wordsModule, logger], files: { 'docs/often': 'content' } })
  t.teardown(() => server.close())
  utimesSync(join(server.serverRoot, 'docs/often'), LONG_AGO, LONG_AGO)
  for (let round = 0; round < 4; round++) await server.inject('/often')
  t.strictSame(
    told,
    Array.from({ length: 4 }, () => [200, '/often']),
  )
})

t.test('responses that differ from each other do not each make an image', async (t) => {
  const images = new Set<ResponseImage>()
  const watcher = moduleOf('watcher', ({ hooks }) =>
    hooks.logTransaction.add((request) => {
      const body = Reflect.get(request, 'body')
      if (body instanceof SmallFile && body.image !== null) images.add(body.image)
    }),
  )
  const server = await site({ modules: [wordsModule, watcher], files: { 'docs/often': 'content' } })
  t.teardown(() => server.close())
  utimesSync(join(server.serverRoot, 'docs/often'), LONG_AGO, LONG_AGO)
  const seconds = new Set<string | undefined>()
  for (let round = 0; round < 20; round++) {
    const headers = { 'X-Round': String(round), Connection: round % 2 === 0 ? 'close' : 'keep-alive' }
    seconds.add((await server.inject({ target: '/often', headers })).header('Date'))
  }
  t.ok(images.size > 0, 'the file was asked for often enough')
  t.ok(images.size <= seconds.size, `${images.size} images in ${seconds.size} seconds`)
})
