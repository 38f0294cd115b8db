import { connect } from 'node:net'
import { DECLINED } from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'

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
  })
  const server = await site({ modules: [openModule, reader], config })
  t.teardown(() => server.close())
  return server
}

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
