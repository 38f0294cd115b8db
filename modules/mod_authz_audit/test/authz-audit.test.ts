import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basicAuth, configError, serverRoot, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import accessCompat from '../../mod_access_compat/src/index.ts'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authRequest from '../../mod_auth_request/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authzAudit from '../src/index.ts'
import { readTraceparent } from '../src/trace-context.ts'

const MODULES = [accessCompat, authBasic, authRequest, authnCore, authnFile, authzCore, authzHost, authzUser, authzAudit]
const CONFIG = `
<Location /office>
  Require ip 10.0.0.0/8
</Location>
<Location /members>
  AuthType Basic
  AuthName a
  AuthUserFile @ROOT@/users
  <RequireAny>
    Require ip 10.0.0.0/8
    Require user alice
  </RequireAny>
</Location>
<Location /old>
  Order allow,deny
  Allow from 10.0.0.0/8
</Location>
<Location /decide>
  SetHandler auth-request
  AuthRequestFields nginx
  AuthRequestTrust 127.0.0.1
</Location>`

type Data = Readonly<Record<string, unknown>>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null

/** The lines of the log after the server has been closed, which writes all of them. */
async function audited(
  t: Test,
  directive: string,
  ask: (
    get: (target: string, headers?: Record<string, string>, from?: string) => Promise<number>,
    inject: TestServer['inject'],
  ) => Promise<void>,
): Promise<Data[]> {
  const { root, remove } = serverRoot({})
  t.teardown(remove)
  const file = join(root, 'logs/audit.log')
  const config = `${directive.replace('LOG', file)}\n${CONFIG}`
  const server = await site({ modules: MODULES, config, files: { users: 'alice:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\n' } })
  await ask(
    async (target, headers = {}, remoteAddress = '127.0.0.1') => (await server.inject({ target, headers, remoteAddress })).status,
    (request) => server.inject(request),
  )
  await server.close()
  const lines = readFileSync(file, 'latin1').split('\n')
  t.equal(lines.pop(), '')
  return lines.map((line) => {
    t.match(line, /^[ -~]+$/)
    const value: unknown = JSON.parse(line)
    if (!isData(value)) throw new TypeError(line)
    return value
  })
}

t.test('each decision is a line with the rules that were asked, and what they said', async (t) => {
  const lines = await audited(t, 'AuthzAuditLog LOG', async (get) => {
    t.equal(await get('/office?secret=1', {}, '192.0.2.1'), 403)
    t.equal(await get('/members'), 401)
    t.equal(await get('/members', basicAuth('alice', 'alice-password')), 404)
    t.equal(await get('/old', {}, '10.1.1.1'), 404)
    t.equal(await get('/free'), 404)
  })
  t.match(lines, [
    {
      decision: 'refused',
      status: 403,
      method: 'GET',
      path: '/office',
      client: '192.0.2.1',
      user: null,
      refusedBy: 'ip',
      rules: [{ rule: 'Require ip 10.0.0.0/8', provider: 'ip', line: /./, verdict: 'denied' }],
    },
    {
      decision: 'refused',
      status: 401,
      rules: [{ verdict: 'denied' }, { rule: 'Require user alice', verdict: 'denied-no-user' }],
    },
    {
      decision: 'granted',
      status: 404,
      user: 'alice',
      authType: 'Basic',
      rules: [{ verdict: 'denied' }, { rule: 'Require user alice', verdict: 'granted' }],
    },
    { decision: 'granted', rules: [{ rule: 'Allow from 10.0.0.0/8', verdict: 'granted' }] },
    { decision: 'granted', rules: [] },
  ])
  t.notMatch(JSON.stringify(lines), 'secret')
})

t.test('only refusals, or one of several grants', async (t) => {
  const ask = async (get: (target: string, headers?: Record<string, string>, from?: string) => Promise<number>) => {
    for (let index = 0; index < 6; index++) await get('/office', {}, '10.0.0.1')
    await get('/office')
  }
  const shown = (lines: readonly Data[]) => lines.map(({ decision }) => decision)
  t.strictSame(shown(await audited(t, 'AuthzAuditLog LOG refusals', ask)), ['refused'])
  const sampled = await audited(t, 'AuthzAuditLog LOG sample=3', ask)
  t.strictSame(shown(sampled), ['granted', 'granted', 'refused'])
  t.strictSame(
    sampled.map(({ sample }) => sample),
    [3, 3, undefined],
  )
})

t.test('decisions for other servers are written with their client, and the trace they belong to', async (t) => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const lines = await audited(t, 'AuthzAuditLog LOG refusals', async (get) => {
    await get('/decide', {
      'X-Original-URL': 'http://site.example/office',
      'X-Original-Method': 'POST',
      'X-Forwarded-For': '192.0.2.9',
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    })
  })
  t.match(lines[0], { decision: 'refused', method: 'POST', host: 'site.example', path: '/office', client: '192.0.2.9' })
  t.match(lines[0], { trace_id: trace, span_id: 'b7ad6b7169203331', trace_flags: '01' })
})

t.test('with a trace context, a decision has attributes by the semantic conventions of OpenTelemetry', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  const [line] = await audited(t, 'AuthzAuditLog LOG', async (get) => {
    await get('/members?secret=1', { ...basicAuth('alice', 'alice-password'), traceparent, Host: 'site.example' }, '192.0.2.1')
  })
  t.strictSame(line.attributes, {
    'http.request.method': 'GET',
    'http.response.status_code': 404,
    'url.path': '/members',
    'server.address': 'site.example',
    'client.address': '192.0.2.1',
    'network.peer.address': '192.0.2.1',
    'user.name': 'alice',
  })
})

t.test('a malformed trace context is none', async (t) => {
  const [id, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  for (const field of ['', `ff-${id}-${span}-01`, `00-${'0'.repeat(32)}-${span}-01`, `00-${id}-${'0'.repeat(16)}-01`])
    t.equal(readTraceparent(field), null, field)
  t.equal(readTraceparent(undefined), null)
  t.equal(readTraceparent(`00-${id}-${span}-01-more`), null, 'version 00 has four parts')
  t.equal(readTraceparent(`00-${id.toUpperCase()}-${span}-01`), null)
  t.match(readTraceparent(`01-${id}-${span}-01-more`), { trace_id: id, span_id: span, trace_flags: '01' })
})

t.test('a method that no RFC defines is written as OpenTelemetry wants it', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  const [line] = await audited(t, 'AuthzAuditLog LOG', async (_get, inject) => {
    await inject({ method: 'BREW', target: '/office', headers: { traceparent } })
  })
  t.match(line.attributes, { 'http.request.method': '_OTHER', 'http.request.method_original': 'BREW' })
})

t.test('a client cannot forge lines', async (t) => {
  const lines = await audited(t, 'AuthzAuditLog LOG', async (get) => {
    await get('/office/%0a%7b%22decision%22:%22granted%22%7d%ff')
  })
  t.match(lines, [{ decision: 'refused', path: '/office/\n{"decision":"granted"}\xff' }])
  t.equal(lines.length, 1)
})

t.test('wrong lines are refused', async (t) => {
  const refused = (line: string) => configError({ modules: MODULES, config: line })
  t.match(await refused('AuthzAuditLog'), /needs a file/)
  t.match(await refused('AuthzAuditLog logs/a sample=0'), /'sample=0' is not all, refusals or sample=NUMBER/)
  t.match(await refused('<Location />\nAuthzAuditLog logs/a\n</Location>'), /not allowed in <Location> context/)
})
