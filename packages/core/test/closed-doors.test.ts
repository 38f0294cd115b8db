import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { DECLINED } from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import alias from '../../../modules/mod_alias/src/index.ts'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import { moduleOf } from './support/modules.ts'

const FILES = { 'docs/open/f': 'open', 'files/private/x': 'secret', 'files/f': 'open', 'docs/large': 'x'.repeat(100_000) }

async function serve(t: Test, config: string, seen: string[] = []): Promise<TestServer> {
  const reader = moduleOf('reader', ({ hooks }) => {
    hooks.handler.add(async (request) => {
      if (!request.uri.startsWith('/read')) return DECLINED
      let length = 0
      try {
        for await (const chunk of request.readBody()) length += chunk.length
      } finally {
        seen.push(`read ${length}`)
      }
      return request.send('text/plain', `${length}`)
    })
    hooks.handler.add((request) => (request.uri === '/split' ? request.send('text/plain\r\nSet-Cookie: a=b', 'x') : DECLINED))
  })
  const server = await site({ modules: [authzCore, alias, reader], config, files: FILES })
  t.teardown(() => server.close())
  return server
}

/** A way to write the same folder, in an Alias or a section, and the request that reaches it. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['Alias /a @ROOT@/files/\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a/ @ROOT@/files//\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a @ROOT@/docs/../files\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  [
    'MergeSlashes Off\nAlias /a @ROOT@/files\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>',
    '/a//private/x',
  ],
  ['Alias /a @ROOT@/files\n<Directory @ROOT@/docs/../files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a @ROOT@/files\n<Directory @ROOT@//files/./private/>\nRequire all denied\n</Directory>', '/a/private/x'],
]
for (const [config, target] of SPELLINGS) {
  t.test(`a closed folder stays closed however it is spelt: ${JSON.stringify(config)}`, async (t) => {
    const server = await serve(t, config)
    t.equal((await server.inject(target)).status, 403)
    t.equal((await server.inject('/a/f')).status, 200)
  })
}

t.test('a range that cannot be satisfied keeps no file open', async (t) => {
  const server = await serve(t, '')
  const port = await server.listen()
  const ask = () =>
    rawExchange(port, 'GET /large HTTP/1.1\r\nHost: localhost\r\nRange: bytes=900000-\r\nConnection: close\r\n\r\n')
  t.match(await ask(), /^HTTP\/1\.1 416 /)
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let count = 0; count < 20; count++) await ask()
  t.ok(open() < before + 10, `${open()} descriptors, ${before} before`)
})

t.test('a range that cannot be satisfied is answered by the ErrorDocument of 416', async (t) => {
  const server = await serve(t, 'ErrorDocument 416 /open/f')
  const response = await server.inject({ target: '/large', headers: { Range: 'bytes=900000-' } })
  t.match(response, { status: 416, body: 'open' })
})

t.test('a body that is too long is refused while a handler reads it, and is no failure of the handler', async (t) => {
  const server = await serve(t, 'LimitRequestBody 1000')
  const port = await server.listen()
  const head = 'POST /read HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
  const long = 'x'.repeat(2000)
  t.match(await rawExchange(port, `${head}Content-Length: 2000\r\n\r\n${long}`), /^HTTP\/1\.1 413 /)
  t.match(await rawExchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n7d0\r\n${long}\r\n0\r\n\r\n`), /^HTTP\/1\.1 413 /)
  t.match(await rawExchange(port, `${head}Content-Length: 1000\r\n\r\n${long.slice(1000)}`), /\r\n\r\n1000$/)
  t.notMatch(server.errors().join('\n'), /:crit\]/)
})

t.test('a handler that reads a body gets an error if the client has disconnected', async (t) => {
  const seen: string[] = []
  const server = await serve(t, '', seen)
  const port = await server.listen()
  await new Promise<void>((resolve, reject) => {
    const client = connect(port, '127.0.0.1', () => {
      client.write('POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nxyz', () => {
        setTimeout(() => client.resetAndDestroy(), 50)
      })
    })
    client.on('error', reject).on('close', () => resolve())
  })
  for (let tries = 0; seen.length === 0 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  t.strictSame(seen, ['read 3'])
  t.notMatch(server.errors().join('\n'), /:crit\]/)
})

t.test('a media type cannot contain additional header fields', async (t) => {
  const server = await serve(t, '')
  const response = await server.inject('/split')
  t.equal(response.status, 500)
  t.equal(response.header('Set-Cookie'), undefined)
  t.match(server.errors(), [/AH02430: Response header 'Content-Type' value of /])
})
