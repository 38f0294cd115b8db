import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import byRequests from '../../mod_lbmethod_byrequests/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import slotmem from '../../mod_slotmem_shm/src/index.ts'
import balancer from '../src/index.ts'

const modules = [authzCore, authzHost, authBasic, proxy, slotmem, byRequests, balancer]
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function served(t: Test, rule = 'Require all granted', extra = ''): Promise<TestServer> {
  const members = [
    'BalancerMember http://127.0.0.1:9001 route=one',
    'BalancerMember http://127.0.0.1:9002 route=two loadfactor=2.5',
  ]
  const config = [
    `<Proxy balancer://app>\n${members.join('\n')}\n${extra}</Proxy>`,
    `<Location /manager>\nSetHandler balancer-manager\n${rule}\n</Location>`,
  ]
  const server = await site({ modules, config: config.join('\n') })
  t.teardown(() => server.close())
  return server
}

async function shown(server: TestServer) {
  const { body } = await server.inject('/manager?json')
  return JSON.parse(body).balancers[0]
}

function post(server: TestServer, order: object | string, headers: Readonly<Record<string, string>> = JSON_TYPE) {
  const body = Buffer.from(typeof order === 'string' ? order : JSON.stringify(order))
  return server.inject({ method: 'POST', target: '/manager?json', headers: { ...headers }, body })
}

t.test('a program reads the balancers with the nonce of each', async (t) => {
  const server = await served(t)
  const answer = await server.inject('/manager?json')
  t.equal(answer.status, 200)
  for (const field of [/^Content-Type,application\/json/i, /^Cache-Control,no-store$/i, /^X-Content-Type-Options,nosniff$/i])
    t.ok(
      answer.headers.some((pair) => field.test(String(pair))),
      String(field),
    )
  const [app] = JSON.parse(answer.body).balancers
  t.match(app, {
    name: 'balancer://app',
    lbmethod: 'byrequests',
    stickysession: null,
    nofailover: false,
    timeout: 0,
    maxattempts: 1,
  })
  t.match(app.nonce, /^[\da-f-]{36}$/)
  t.match(app.members, [
    { name: 'http://127.0.0.1:9001', route: 'one', loadfactor: 1, lbset: 0, states: [], usable: true, busy: 0, elected: 0 },
    { name: 'http://127.0.0.1:9002', route: 'two', loadfactor: 2.5 },
  ])
})

t.test('a program takes members out of service and back, and changes parameters', async (t) => {
  const server = await served(t)
  const { nonce } = await shown(server)
  const order = { balancer: 'balancer://app', member: 'http://127.0.0.1:9001', nonce }
  const disabled = await post(server, { ...order, action: 'disable' })
  t.equal(disabled.status, 200, disabled.body)
  t.match(JSON.parse(disabled.body).balancers[0].members[0], { states: ['disabled'], usable: false })
  const last = await post(server, { ...order, member: 'two', action: 'drain' })
  t.strictSame(JSON.parse(last.body).notes, ['no member of balancer://app takes new requests'])
  await post(server, { ...order, action: 'enable', set: { loadfactor: 3, route: 'three' } })
  t.match((await shown(server)).members[0], { states: [], usable: true, loadfactor: 3, route: 'three' })
  t.equal((await post(server, { balancer: 'app', nonce, set: { timeout: 7, nofailover: 'On' } })).status, 200)
  t.match(await shown(server), { timeout: 7, nofailover: true })
})

t.test('an order without the nonce, or one that a page of another site could send, changes nothing', async (t) => {
  const server = await served(t)
  const { nonce } = await shown(server)
  const order = { balancer: 'app', member: 'one', nonce, action: 'disable' }
  t.match(await post(server, { ...order, nonce: 'guessed' }), { status: 403 })
  t.match(await post(server, { ...order, nonce: undefined }), { status: 403 })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    t.match(await post(server, order, { 'Content-Type': type }), { status: 400 }, type)
  const query = `/manager?json&b=app&w=http://127.0.0.1:9001&w_status_D=1&nonce=${nonce}`
  t.match(await server.inject({ method: 'GET', target: query, headers: { Referer: 'http://localhost/manager' } }), {
    status: 200,
  })
  t.equal((await shown(server)).members[0].usable, true)
})

t.test('without nonces, the type of the content still keeps pages of other sites out', async (t) => {
  const server = await served(t, undefined, 'ProxySet nonce=None\n')
  t.equal((await shown(server)).nonce, '')
  const order = { balancer: 'app', member: 'one', action: 'disable' }
  t.match(await post(server, order, { 'Content-Type': 'text/plain' }), { status: 400 })
  t.equal((await shown(server)).members[0].usable, true)
  t.match(await post(server, order), { status: 200 })
  t.equal((await shown(server)).members[0].usable, false)
})

t.test('who is not admitted neither reads nor changes anything', async (t) => {
  const server = await served(t, 'Require ip 192.0.2.1')
  t.match(await server.inject('/manager?json'), { status: 403 })
  t.match(await post(server, { balancer: 'app', member: 'one', action: 'disable' }), { status: 403 })
})

t.test('what is wrong with an order is said, and nothing is changed', async (t) => {
  const server = await served(t)
  const { nonce } = await shown(server)
  const wrong: readonly (readonly [status: number, order: object | string, problem: RegExp])[] = [
    [400, 'x', /not a JSON object/],
    [400, '[]', /not a JSON object/],
    [400, 'null', /not a JSON object/],
    [400, `{"balancer":"app","set":{"route":"${'r'.repeat(17_000)}"}}`, /at most 16 KiB/],
    [400, { member: 'one', nonce }, /balancer names no balancer/],
    [400, { balancer: 'app', member: 3, nonce }, /member is not a text/],
    [400, { balancer: 'app', member: 'one', nonce, action: 'remove' }, /action is one of drain, disable, stop, enable/],
    [400, { balancer: 'app', member: 'one', nonce, states: 'D' }, /there is no field states/],
    [400, { balancer: 'app', member: 'one', nonce, set: { max: 3 } }, /a member has no parameter max/],
    [400, { balancer: 'app', member: 'one', nonce, set: { loadfactor: 0 } }, /LoadFactor must be a number between 1\.\.100/],
    [400, { balancer: 'app', member: 'one', nonce, set: { route: ['one'] } }, /set is not an object/],
    [400, { balancer: 'app', member: 'one', nonce, set: { route: 'a\nlbset=3' } }, /control character/],
    [400, { balancer: 'app', member: 'one', nonce }, /changes nothing/],
    [400, { balancer: 'app', nonce, action: 'drain' }, /drain needs a member/],
    [404, { balancer: 'other', nonce, action: 'drain' }, /there is no balancer/],
    [404, { balancer: 'app', server: 'elsewhere', nonce, action: 'drain' }, /no server elsewhere has/],
    [404, { balancer: 'app', member: 'three', nonce, action: 'drain' }, /has no member three/],
  ]
  const before = await shown(server)
  for (const [status, order, problem] of wrong) {
    const answer = await post(server, order)
    t.equal(answer.status, status, answer.body)
    t.match(JSON.parse(answer.body).problems[0], problem)
  }
  t.strictSame(await shown(server), before)
})

t.test(
  'the page changes what a page of the same host asks for, whatever its port, and nothing that others ask for',
  async (t) => {
    const server = await served(t)
    const { nonce } = await shown(server)
    const query = `/manager?b=app&w=http://127.0.0.1:9001&w_status_D=1&nonce=${nonce}`
    const ask = async (Referer: string): Promise<boolean> => {
      await server.inject({ method: 'GET', target: query, headers: { Referer, Host: 'localhost' } })
      return (await shown(server)).members[0].usable
    }
    for (const other of ['http://localhost.evil/manager', 'http://evil/localhost', 'http://evil@evil/', 'localhost', 'http://'])
      t.equal(await ask(other), true, other)
    t.equal(await ask('https://LOCALHOST:8443/manager'), false)
  },
)
