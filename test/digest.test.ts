import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { authorization, type Challenge, challengeOf, md5 } from '../modules/mod_auth_digest/test/support/client.ts'
import { childrenOf, gone } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const LOADED = ['authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_digest']
/** New connections after which every worker has had some: the system chooses the worker by the client's port. */
const CONNECTIONS = 30

/** Two workers, and a log that shows which of them has answered. */
async function start(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file('conf/users', `bob:R:${md5('bob:R:pw')}\n`)
  for (const name of ['plain', 'counted', 'once']) server.file(`htdocs/${name}`, `${name}\n`)
  const place = (path: string, more: string): string =>
    `<Location ${path}>\nAuthType Digest\nAuthName R\nAuthUserFile conf/users\nRequire valid-user\n${more}\n</Location>`
  server.configure(
    ...LOADED.map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.mjs`)}`),
    'WorkerProcesses 2',
    'CustomLog logs/access_log "%P %>s %U"',
    place('/plain', ''),
    place('/counted', 'AuthDigestNcCheck On'),
    place('/once', 'AuthDigestNonceLifetime 0'),
  )
  await server.start()
  return server
}

async function challengeFor(server: StagedServer, path: string): Promise<Challenge> {
  const { headers } = await server.get(path)
  return challengeOf(String(headers['www-authenticate']))
}

const statuses = async (server: StagedServer, path: string, header: string): Promise<number[]> => {
  const answers: number[] = []
  for (let count = 0; count < CONNECTIONS; count++) {
    answers.push((await server.get(path, { headers: { Authorization: header } })).status)
  }
  return answers
}

/** Processes that have answered since the log had so many lines. */
const answeredBy = (server: StagedServer, from = 0): Set<string> =>
  new Set(
    server
      .read('logs/access_log')
      .split('\n')
      .slice(from, -1)
      .map((line) => line.split(' ')[0]),
  )

const server = await start(t)

/** The request of a client that opens a connection for each, with the next count or the next nonce. */
async function steps(t: Test, path: string, answered: (status: number) => void): Promise<void> {
  let { nonce, opaque } = await challengeFor(server, path)
  for (let count = 1; count <= CONNECTIONS; count++) {
    const header = authorization({
      uri: path,
      nonce,
      opaque,
      nc: path === '/once' ? '00000001' : count.toString(16).padStart(8, '0'),
    })
    const { status, headers } = await server.get(path, { headers: { Authorization: header } })
    answered(status)
    t.equal((await server.get(path, { headers: { Authorization: header } })).status, 401, `${path}: what was captured`)
    if (path === '/once') nonce = /nextnonce="([^"]+)"/.exec(String(headers['authentication-info']))?.[1] ?? ''
    if (count === CONNECTIONS / 2 && path === '/counted') await reload()
  }
}

async function reload(): Promise<void> {
  const former = childrenOf(server.pid)
  t.equal((await server.run('-k', 'graceful')).status, 0)
  await gone(former)
}

t.test('counts and nonces for one use are known to every worker, and after a reload', async (t) => {
  for (const path of ['/counted', '/once']) {
    const answers: number[] = []
    await steps(t, path, (status) => answers.push(status))
    t.same(new Set(answers), new Set([200]), path)
    t.equal(answers.length, CONNECTIONS)
  }
  t.ok(answeredBy(server).size > 2, 'workers of both generations')
})

t.test('what was captured is refused by every worker where counts are checked or nonces are for one use', async (t) => {
  for (const path of ['/counted', '/once']) {
    const { nonce, opaque } = await challengeFor(server, path)
    const header = authorization({ uri: path, nonce, opaque })
    t.equal((await server.get(path, { headers: { Authorization: header } })).status, 200, path)
    t.same(new Set(await statuses(server, path, header)), new Set([401]), path)
  }
})

t.test('a nonce is accepted by every worker, before and after the configuration was loaded again', async (t) => {
  const { nonce, opaque } = await challengeFor(server, '/plain')
  t.equal(opaque, undefined)
  const first = server.read('logs/access_log').split('\n').length - 1
  const header = authorization({ uri: '/plain', nonce })
  t.same(new Set(await statuses(server, '/plain', header)), new Set([200]))
  const before = answeredBy(server, first)
  t.equal(before.size, 2)

  const status = await server.run('-k', 'graceful')
  t.equal(status.status, 0)
  const seen = server.read('logs/access_log').split('\n').length - 1
  t.same(new Set(await statuses(server, '/plain', header)), new Set([200]))
  const after = answeredBy(server, seen)
  t.equal(after.size, 2)
  for (const process of before) t.notOk(after.has(process), 'a new generation has answered')
})

const curl = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0

t.test('curl logs in, with every method and wherever counts are checked', { skip: !hasCurl && 'needs curl' }, async (t) => {
  const run = async (...args: string[]): Promise<string> =>
    (await curl('curl', ['-sS', '--digest', '-u', 'bob:pw', ...args])).stdout
  const url = (path: string): string => `http://127.0.0.1:${server.port}${path}`
  const code = ['-o', '/dev/null', '-w', '%{http_code} ']
  t.equal(await run(url('/plain')), 'plain\n')
  t.match(await run('-I', url('/plain')), /HTTP\/1\.1 200 .*Authentication-Info: rspauth="\w{32}"/s)
  t.equal(await run(...code, '-d', 'x=1', url('/plain')), '200 ')
  t.equal(await run(...code, '-u', 'bob:wrong', url('/plain')), '401 ')
  for (const path of ['/counted', '/once']) {
    const pages = Array.from({ length: 4 }, () => [...code.slice(0, 2), url(path)]).flat()
    t.equal(await run('-w', '%{http_code} ', ...pages), '200 200 200 200 ', path)
  }
})

t.test('a new start rejects earlier nonces, and a single process creates its own secret', async (t) => {
  const { nonce } = await challengeFor(server, '/plain')
  await server.stop()
  t.equal((await server.run('-t')).status, 0)
  await server.start('-X')
  const answer = await server.get('/plain', { headers: { Authorization: authorization({ uri: '/plain', nonce }) } })
  t.equal(answer.status, 401)
  const next = challengeOf(String(answer.headers['www-authenticate']))
  t.equal(next.stale, 'true')
  const header = authorization({ uri: '/plain', nonce: next.nonce })
  t.equal((await server.get('/plain', { headers: { Authorization: header } })).status, 200)
})
