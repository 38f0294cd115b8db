import { once } from 'node:events'
import { createServer } from 'node:net'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import byRequests from '../../mod_lbmethod_byrequests/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyFcgi from '../../mod_proxy_fcgi/src/index.ts'
import slotmem from '../../mod_slotmem_shm/src/index.ts'
import balancer from '../src/index.ts'

const modules = [authzCore, proxy, proxyFcgi, slotmem, byRequests, balancer]

/** A FastCGI member that closes each connection when a request has arrived, without an answer. */
async function breakingOff(t: Test): Promise<{ readonly port: number; readonly requests: () => number }> {
  let requests = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      requests++
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, requests: () => requests }
}

async function served(t: Test) {
  const members = [await breakingOff(t), await breakingOff(t)]
  const lines = members.map(({ port }) => `BalancerMember fcgi://127.0.0.1:${port}`)
  const config = `<Proxy balancer://both>\n${lines.join('\n')}\n</Proxy>\nProxyPass / balancer://both/`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  return { server, total: () => members.reduce((sum, { requests }) => sum + requests(), 0) }
}

t.test('a request that changes nothing is passed to another member after the first has broken off', async (t) => {
  const { server, total } = await served(t)
  t.match(await server.inject('/x.php'), { status: 503 })
  t.equal(total(), 2)
})

t.test('a request that a member may have acted on is not repeated', async (t) => {
  for (const body of ['short', 'l'.repeat(100_000)]) {
    const { server, total } = await served(t)
    t.match(await server.inject({ method: 'POST', target: '/x.php', body: Buffer.from(body) }), { status: 503 })
    t.equal(total(), 1, `${body.length} bytes`)
  }
})

t.test('a request that reached no member is passed to another one, whatever its method', async (t) => {
  const one = await breakingOff(t)
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const address = closed.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => closed.close(resolve))
  const lines = [`BalancerMember fcgi://127.0.0.1:${port}`, `BalancerMember fcgi://127.0.0.1:${one.port}`]
  const config = `<Proxy balancer://both>\n${lines.join('\n')}\n</Proxy>\nProxyPass / balancer://both/`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  await server.inject({ method: 'POST', target: '/x.php', body: Buffer.from('short') })
  t.equal(one.requests(), 1)
})
