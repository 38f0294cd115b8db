/** What one machine remembers of its users, another one knows by the Redis of both, and neither lets anybody in without it. */
import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import { basicAuth, hasRedis, redisStore } from '@gatewright/testing'
import t from 'tap'
import { authorization, type Challenge, challengeOf, md5 } from '../modules/mod_auth_digest/test/support/client.ts'
import { formLines, sessionCookie } from './faults-logins/form-session.ts'
import { hashOf, section, serverWith } from './faults-logins/setting.ts'
import type { Answer, Owner, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

t.setTimeout(900_000)

const QUOTA = join(import.meta.dirname, 'fixtures/mod_quota/src/index.ts')
const VISITS = 10

/** A machine with these users in its password file. */
function machine(owner: Owner, redis: string, users: Readonly<Record<string, string>>): Promise<StagedServer> {
  const remembering = ['AuthnCacheProvideFor file', 'AuthnCacheContext site', 'AuthUserFile conf/users']
  return serverWith(owner, {
    modules: [
      ...['authn_file', 'socache_redis', 'authn_socache', 'request', 'session', 'session_cookie', 'session_crypto'],
      ...['auth_form', 'auth_digest'],
    ],
    paths: ['/basic', '/form', '/digest'],
    async prepare(server) {
      server.file(
        'conf/users',
        Object.entries(users)
          .map(([user, password]) => `${user}:${hashOf(password)}\n`)
          .join(''),
      )
      server.file('conf/digests', `bob:R:${md5('bob:R:pw')}\n`)
      await buildModule({ entry: QUOTA, outFile: server.path('modules/mod_quota.mjs') })
    },
    lines: [
      'LoadModule quota_module modules/mod_quota.so',
      `SharedCache redis:${redis}`,
      `AuthnCacheSOCache redis:${redis}`,
      ...section('/basic', 'AuthBasicProvider socache file', ...remembering),
      ...formLines('AuthFormProvider socache file', ...remembering),
      '<Location /digest>\nAuthType Digest\nAuthName R\nAuthUserFile conf/digests\nAuthDigestNcCheck On\nRequire valid-user\n</Location>',
      '<Location /quota>\nRequire all granted\nSetHandler quota\n</Location>',
    ],
  })
}

/** Statuses of several connections, which reach all workers. */
async function statuses(server: StagedServer, path: string, headers: Readonly<Record<string, string>>): Promise<Set<number>> {
  const found = new Set<number>()
  for (let count = 0; count < VISITS; count++) found.add((await server.get(path, { headers })).status)
  return found
}

const challengeIn = ({ headers }: Answer): Challenge => challengeOf(String(headers['www-authenticate']))

const digest = (server: StagedServer, { nonce, opaque }: Challenge, count: number): Promise<Answer> => {
  const nc = count.toString(16).padStart(8, '0')
  return server.get('/digest', { headers: { Authorization: authorization({ uri: '/digest', nonce, opaque, nc }) } })
}

t.test('a session, a login, a counter and a nonce move from one machine to the other', { skip: !hasRedis() }, async (t) => {
  const redis = await redisStore()
  t.teardown(() => redis.close())
  const one = await machine(t, redis.address, { alice: 'right' })
  // This one depends on what the other has stored.
  const other = await machine(t, redis.address, {})
  const alice = basicAuth('alice', 'right')

  t.same(await statuses(other, '/basic', alice), new Set([401]), 'nobody knows alice yet')
  t.same(await statuses(one, '/basic', alice), new Set([200]))
  await until('the other machine remembers alice', async () => (await other.get('/basic', { headers: alice })).status === 200)
  t.same(await statuses(other, '/basic', alice), new Set([200]))
  t.same(await statuses(other, '/basic', basicAuth('alice', 'wrong')), new Set([401]))

  const session = { Cookie: await sessionCookie(one, 'alice', 'right') }
  t.same(await statuses(one, '/form', session), new Set([200]))
  t.same(await statuses(other, '/form', session), new Set([200]))
  t.same(await statuses(other, '/form', { Cookie: `${session.Cookie.slice(0, -8)}AAAAAAA=` }), new Set([401]))

  const sums: number[] = []
  for (let count = 0; count < VISITS; count++) sums.push(Number.parseInt((await [one, other][count % 2].get('/quota')).body, 10))
  t.same(
    sums,
    Array.from({ length: VISITS }, (_, index) => index + 1),
  )

  const challenge = challengeIn(await one.get('/digest'))
  for (let count = 1; count <= VISITS; count++) {
    t.equal((await digest([one, other][count % 2], challenge, count)).status, 200, `count ${count}`)
    t.equal((await digest([other, one][count % 2], challenge, count)).status, 401, 'a replay')
  }

  await redis.stop()
  t.same(await statuses(one, '/basic', alice), new Set([200]), 'who knows alice continues')
  t.same(await statuses(one, '/form', session), new Set([200]))
  t.same(await statuses(other, '/basic', alice), new Set([401]), 'who does not lets nobody in')
  t.same(await statuses(other, '/form', session), new Set([401]))
  t.same(await statuses(one, '/basic', basicAuth('alice', 'wrong')), new Set([401]))
  t.same(await statuses(one, '/quota', {}), new Set([503]))
  const refused = await digest(one, challenge, VISITS + 1)
  t.equal(refused.status, 401, 'what is not known to be unused is refused')
  const fresh = challengeIn(refused)
  t.equal(fresh.stale, 'true', 'without asking for the password')
  for (let count = 1; count <= VISITS; count++) {
    t.equal((await digest(one, fresh, count)).status, 200)
    t.equal((await digest(one, fresh, count)).status, 401, 'a replay')
  }
  t.equal((await digest(one, challenge, 1)).status, 401, 'a replay from before')

  await redis.restart()
  await until('both machines count again', async () => {
    for (const server of [one, other]) if ((await statuses(server, '/quota', {})).has(503)) return false
    return true
  })
  await until('the login is remembered again', async () => {
    t.equal((await one.get('/basic', { headers: alice })).status, 200)
    return (await other.get('/basic', { headers: alice })).status === 200
  })
  t.equal((await digest(one, challenge, VISITS)).status, 401, 'a replay after the cache has lost everything')
})
