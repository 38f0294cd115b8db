// npm run decisions [-- --pairs N --seed N --plants]: makes random policies and requests, and compares what clients get through nginx
// (auth_request), Caddy (forward_auth) and HAProxy (a Lua script), which ask mod_auth_request, with what they get from this
// server directly, over http and over https. A path that servers read differently must be refused. Fronts that are not installed are left out. --plants
// configures the endpoints wrongly in several ways, each of which must be found. Ends with a line `N passed, N failed` that counts comparisons.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingHttpHeaders, request } from 'node:http'
import { request as securedRequest } from 'node:https'
import { connect, createServer as createRelay, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { anyMethod, site, type TestServer } from '@gatewright/testing'
import accessCompat from '../../modules/mod_access_compat/src/index.ts'
import authBasic from '../../modules/mod_auth_basic/src/index.ts'
import authRequest from '../../modules/mod_auth_request/src/index.ts'
import authnCore from '../../modules/mod_authn_core/src/index.ts'
import authnFile from '../../modules/mod_authn_file/src/index.ts'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import authzGroupfile from '../../modules/mod_authz_groupfile/src/index.ts'
import authzHost from '../../modules/mod_authz_host/src/index.ts'
import authzUser from '../../modules/mod_authz_user/src/index.ts'
import rewrite from '../../modules/mod_rewrite/src/index.ts'
import setenvif from '../../modules/mod_setenvif/src/index.ts'
import ssl from '../../modules/mod_ssl/src/index.ts'
import { Random } from '../fixtures/random.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import {
  FOLDERS,
  GROUPS,
  HOSTS,
  OTHER_HOST,
  type Policy,
  randomPolicy,
  randomVisit,
  USERS,
  type Visit,
} from './decision-world.ts'
import { type Front, startFronts } from './fronts.ts'

const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    plants: { type: 'boolean', default: false },
  },
})
const MODULES = [
  accessCompat,
  authBasic,
  authnCore,
  authnFile,
  authzCore,
  authzGroupfile,
  authzHost,
  authzUser,
  rewrite,
  setenvif,
  ssl,
  authRequest,
  anyMethod,
]
/** Wrong lines for the endpoints, by name. */
const PLANTS: Readonly<Record<string, string>> = {
  'an address that the client chooses': 'AuthRequestFields KIND client=X-Real-IP',
  'a method that the client chooses': 'AuthRequestFields caddy method=X-Original-Method',
  'paths that servers read differently': 'AuthRequestPaths any',
}
/** Requests by one policy. */
const VISITS = 25

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

const folder = mkdtempSync(join(tmpdir(), 'gatewright-decisions-'))
const pair = new TlsAuthority(join(folder, 'tls'), 'decisions').issue('site', { hosts: [...HOSTS, OTHER_HOST, '127.0.0.1'] })
/** What fronts connect to while policies change. */
let decider = 0
const relay = createRelay((incoming) => pipeBoth(incoming, connect({ port: decider, host: '127.0.0.1' })))
const backend = createHttpServer((_request, response) => response.writeHead(200, { 'X-Backend': 'yes' }).end('backend'))
const fronts: Front[] = []
const random = new Random(Number(options.seed))
let passed = 0
let failed = 0
let granted = 0
const statuses = new Map<number, number>()
let plant: string | null = null
try {
  const targets = { decider: await listen(relay), backend: await listen(backend), folder, pair }
  fronts.push(...(await startFronts(targets)))
  if (fronts.length === 0) console.log('no front is installed: apt-get install nginx caddy haproxy')
  if (options.plants) await findPlants()
  else await comparePairs(Number(options.pairs))
} finally {
  for (const front of fronts) await front.stop()
  relay.close()
  backend.close()
  backend.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `fronts: ${fronts.map(({ name }) => name).join(', ')}; ${granted} grants; directly ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`,
)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

async function comparePairs(count: number): Promise<void> {
  for (let pairs = count; fronts.length > 0 && pairs > 0; pairs -= VISITS) await comparePolicy(Math.min(pairs, VISITS))
}

/** Counts a plant that is found as passed. */
async function findPlants(): Promise<void> {
  let found = 0
  for (const [name, line] of Object.entries(PLANTS)) {
    plant = line
    failed = 0
    await comparePairs(Number(options.pairs))
    console.log(`${name}: ${failed > 0 ? 'found' : 'NOT FOUND'}`)
    if (failed > 0) found++
  }
  passed = found
  failed = Object.keys(PLANTS).length - found
}

async function comparePolicy(count: number): Promise<void> {
  const policy = randomPolicy(random)
  const server = await serverOf(policy, [])
  // Clients with TLS get the same rules from a server that speaks it.
  const secured = await serverOf(policy, [
    'SSLEngine On',
    `SSLCertificateFile ${pair.certificate}`,
    `SSLCertificateKeyFile ${pair.key}`,
  ])
  try {
    decider = await server.listen()
    const securedPort = await secured.listen()
    for (let index = 0; index < count; index++) {
      const visit = randomVisit(random)
      await compareVisit(policy, visit, await get(visit.secured ? securedPort : decider, visit))
    }
  } finally {
    await server.close()
    await secured.close()
  }
}

async function compareVisit(policy: Policy, visit: Visit, direct: Reply): Promise<void> {
  statuses.set(direct.status, (statuses.get(direct.status) ?? 0) + 1)
  for (const front of fronts) {
    const reply = await get(visit.secured ? front.securedPort : front.port, visit)
    const isGranted = reply.headers['x-backend'] === 'yes'
    const expected = front.expected(direct.status)
    if (isGranted) granted++
    const isRight = visit.isAmbiguous
      ? !isGranted && reply.status >= 400
      : isGranted === direct.status < 300 && reply.status === expected && hasSameLocation(front, direct, reply)
    if (isRight) {
      passed++
      continue
    }
    failed++
    if (failed > 20 || plant !== null) continue
    console.log(
      `${front.name}: ${reply.status}${isGranted ? ' by the backend' : ''}, directly ${direct.status}, expected ${visit.isAmbiguous ? 'a refusal' : expected}`,
    )
    console.log(JSON.stringify({ visit, policy }, null, 1))
  }
}

/** nginx passes a challenge on, and no Location. */
function hasSameLocation({ name }: Front, direct: Reply, reply: Reply): boolean {
  if (direct.status === 401 && name !== 'haproxy') return reply.headers['www-authenticate'] === direct.headers['www-authenticate']
  return direct.status < 300 || direct.status > 399 || name === 'nginx' || reply.headers.location === direct.headers.location
}

function serverOf({ lines, htaccess }: Policy, tls: readonly string[]): Promise<TestServer> {
  const endpoints = ['nginx', 'caddy', 'haproxy'].flatMap((kind) => [
    `<Location "/-decide/${kind}">`,
    ...[
      'SetHandler auth-request',
      `AuthRequestFields ${kind}`,
      'AuthRequestTrust 127.0.0.1',
      'AuthRequestSet X-User %{REMOTE_USER}',
    ],
    ...(plant === null ? [] : [plant.replace('KIND', kind)]),
    ...['AuthType None', 'Require all granted', 'Order allow,deny', 'Allow from all', 'RewriteEngine Off', '</Location>'],
  ])
  // The question has the Host of its client, so each virtual host has the endpoint; its rules come last.
  const config = lines.flatMap((line) => (line === '</VirtualHost>' ? [...endpoints, line] : [line]))
  const files: Record<string, string> = { users: usersFile(), groups: GROUPS, 'docs/a/secret.txt': 'x', 'docs/a/b/c.html': 'x' }
  for (const path of FOLDERS) files[`docs/${path}/.htaccess`] = htaccess[path] ?? ''
  return site({
    modules: MODULES,
    config: [...tls, '<Directory "@ROOT@/docs">', 'AllowOverride All', '</Directory>', ...config, ...endpoints].join('\n'),
    files,
  })
}

function usersFile(): string {
  return USERS.map((user) => `${user}:{SHA}${createHash('sha1').update(`${user}-password`).digest('base64')}\n`).join('')
}

/** 502 stands for a connection that was closed without an answer. */
function get(port: number, { secured, method, host, target, client, headers }: Visit): Promise<Reply> {
  return new Promise((resolve) => {
    const asked = (secured ? securedRequest : request)({
      host: '127.0.0.1',
      port,
      localAddress: client,
      method,
      path: target,
      headers: { Host: host, ...headers },
      agent: false,
      ...(secured && { servername: host, rejectUnauthorized: false }),
      timeout: 30_000,
    })
    asked.on('response', (response) => {
      response.resume()
      response.on('error', () => {})
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve({ status: 502, headers: {} }))
    asked.end()
  })
}

function pipeBoth(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

function listen(server: ReturnType<typeof createRelay>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address === null || typeof address === 'string' ? 0 : address.port)
    })
  })
}
