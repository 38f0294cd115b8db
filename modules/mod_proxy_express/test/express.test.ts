import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDbmWriter } from '@gatewright/dbm'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp from '../../mod_proxy_http/src/index.ts'
import proxyExpress from '../src/index.ts'

const modules = [authzCore, proxy, proxyHttp, proxyExpress]

async function backEnd(t: Test): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      seen.push(bytes.toString('latin1').split('\r\n', 1)[0])
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen }
}

/** A map in a folder of its own. */
function mapOf(t: Test, entries: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'map')
  const writer = openDbmWriter(path, 'sdbm', 'create')
  for (const [name, url] of Object.entries(entries)) writer.replace(Buffer.from(name), Buffer.from(url))
  writer.close()
  return path
}

t.test('the name in the URL chooses the back end, in any case and with any port', async (t) => {
  const { port, seen } = await backEnd(t)
  const map = mapOf(t, { 'a.test': `http://127.0.0.1:${port}/in` })
  const config = `ProxyExpressEnable On\nProxyExpressDBMType sdbm\nProxyExpressDBMFile ${map}`
  const server = await site({ modules, config, files: { 'docs/f.txt': 'local' } })
  t.teardown(() => server.close())
  t.match(await server.inject({ target: '/x?q', headers: { Host: 'A.test:81' } }), { status: 200, body: 'hi' })
  t.same(seen, ['GET /in/x?q HTTP/1.1'])
  t.match(await server.inject({ target: '/f.txt', headers: { Host: 'b.test' } }), { status: 200, body: 'local' })
  t.equal(seen.length, 1)
})

t.test('access is decided before the back end is asked, and lines of ProxyPass come first', async (t) => {
  const { port, seen } = await backEnd(t)
  const map = mapOf(t, { 'a.test': `http://127.0.0.1:${port}` })
  const config = `ProxyExpressEnable On
ProxyExpressDBMFile ${map}
ProxyPass /own http://127.0.0.1:${port}/line
<Location /denied>
Require all denied
</Location>`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const ask = async (target: string): Promise<number> => (await server.inject({ target, headers: { Host: 'a.test' } })).status
  t.equal(await ask('/denied/x'), 403)
  t.same(seen, [])
  t.equal(await ask('/own/x'), 200)
  t.same(seen, ['GET /line/x HTTP/1.1'])
})

t.test('a file that cannot be read, or that is not wanted, has no effect', async (t) => {
  const { port, seen } = await backEnd(t)
  const map = mapOf(t, { 'a.test': `http://127.0.0.1:${port}` })
  for (const config of ['ProxyExpressEnable On\nProxyExpressDBMFile /no/such/map', `ProxyExpressDBMFile ${map}`]) {
    const server = await site({ modules, config, files: { 'docs/f.txt': 'local' } })
    t.teardown(() => server.close())
    t.match(await server.inject({ target: '/f.txt', headers: { Host: 'a.test' } }), { status: 200, body: 'local' })
  }
  t.same(seen, [])
})
