import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:http2'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp2 from '../src/index.ts'

/** A back end: Node's own HTTP/2, which shows what it has received. */
async function backEnd(t: Test): Promise<{ readonly port: number; sessions(): number }> {
  let sessions = 0
  const server = createServer((request, response) => {
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    request.on('end', () => response.end(`${request.method} ${request.url} ${request.authority} ${length}`))
  })
  server.on('session', () => {
    sessions++
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, sessions: () => sessions }
}

t.test('requests reach a back end that speaks HTTP/2, one after the other on one connection', async (t) => {
  const back = await backEnd(t)
  const server = await site({
    modules: [authzCore, proxy, proxyHttp2],
    config: `ProxyPass /app h2c://127.0.0.1:${back.port}/in`,
  })
  t.teardown(() => server.close())
  const authority = `127.0.0.1:${back.port}`
  t.match(await server.inject('/app/a%20b?q'), { status: 200, body: `GET /in/a%20b?q ${authority} 0` })
  const long = await server.inject({ method: 'POST', target: '/app/', body: 'x'.repeat(1_000_000) })
  t.match(long, { status: 200, body: `POST /in/ ${authority} 1000000` })
  t.match(await server.inject({ method: 'HEAD', target: '/app/' }), { status: 200, body: '' })
  t.equal(back.sessions(), 1)
})

t.test('fields of a response are mapped, but not where the back end knows the name of the server', async (t) => {
  const fields = { location: '/in/next', 'set-cookie': 'a=b; path=/in' }
  const server = createServer((_, response) => response.writeHead(302, fields).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const lines = (path: string): string[] => [
    `<Location ${path}>`,
    `ProxyPass h2c://127.0.0.1:${port}/in`,
    'ProxyPassReverse /in',
    `ProxyPassReverseCookiePath /in ${path}`,
    path === '/kept' ? 'ProxyPreserveHost On' : '',
    '</Location>',
  ]
  const front = await site({ modules: [authzCore, proxy, proxyHttp2], config: [...lines('/app'), ...lines('/kept')].join('\n') })
  t.teardown(() => front.close())
  const headersOf = async (path: string): Promise<object> => {
    const { headers } = await front.inject(path)
    return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  }
  t.match(await headersOf('/app/'), { location: /^http:\/\/[^/]+\/app\/next$/, 'set-cookie': 'a=b; path=/app' })
  t.match(await headersOf('/kept/'), fields)
})

t.test('a client of unknown length may wait for an answer to each part before it sends the next', async (t) => {
  const server = createServer((incoming, response) => {
    response.writeHead(200)
    incoming.pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const front = await site({ modules: [authzCore, proxy, proxyHttp2], config: `ProxyPass / h2c://127.0.0.1:${port}/` })
  t.teardown(() => front.close())
  const client = request({ port: await front.listen(), host: '127.0.0.1', method: 'POST', path: '/' })
  t.teardown(() => void client.destroy())
  client.write('one')
  const [response] = await once(client, 'response')
  t.equal(response.statusCode, 200)
  t.equal(String((await once(response, 'data'))[0]), 'one')
  client.write('two')
  t.equal(String((await once(response, 'data'))[0]), 'two')
  client.end()
  await once(response, 'end')
})
