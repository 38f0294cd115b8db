import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import { basicAuth, hasRedis, redisStore } from '@gatewright/testing'
import type { Owner, StagedServer } from '../fixtures/staged-server.ts'
import type { Fault } from './fault.ts'
import { formLines, sessionCookie } from './form-session.ts'
import { hashOf, newcomers, section, serverWith } from './setting.ts'
import { sameLogin } from './visitors.ts'

const NEWCOMERS = 2_000
const PASSWORD = 'right'
const USERS = 'AuthUserFile conf/users'
const QUOTA = join(import.meta.dirname, '../fixtures/mod_quota/src/index.ts')

function serve(owner: Owner, redis: string): Promise<StagedServer> {
  const people = ['alice', 'bob', ...Array.from({ length: NEWCOMERS }, (_, index) => `u${index}`)]
  const remembering = ['AuthnCacheProvideFor file', 'AuthnCacheContext server']
  return serverWith(owner, {
    modules: [
      ...['authn_file', 'socache_redis', 'authn_socache', 'request', 'session', 'session_cookie', 'session_crypto'],
      'auth_form',
    ],
    paths: ['/basic', '/form'],
    async prepare(server) {
      server.file('conf/users', people.map((user) => `${user}:${hashOf(PASSWORD)}\n`).join(''))
      await buildModule({ entry: QUOTA, outFile: server.path('modules/mod_quota.mjs') })
    },
    lines: [
      'LoadModule quota_module modules/mod_quota.so',
      `SharedCache redis:${redis}`,
      `AuthnCacheSOCache redis:${redis}`,
      ...section('/basic', 'AuthBasicProvider socache file', USERS, ...remembering),
      ...formLines('AuthFormProvider socache file', USERS, ...remembering),
      '<Location /quota>',
      'Require all granted',
      'SetHandler quota',
      '</Location>',
    ],
  })
}

/** The Redis of two servers goes away: their login memory, that of sessions too, and the counters of a module. */
export const cacheAway: Fault = {
  name: 'the Redis of two servers is away',
  away: 10_000,
  missing: hasRedis() ? [] : ['redis-server'],
  async arrange(owner) {
    const redis = await redisStore()
    owner.teardown(() => redis.close())
    const servers = [await serve(owner, redis.address), await serve(owner, redis.address)]
    const session = { path: '/form', headers: { Cookie: await sessionCookie(servers[0], 'alice', PASSWORD) } }
    const newcomer = newcomers(NEWCOMERS)
    const sums = new Set<number>()
    const never = { usual: [401], whileAway: [] }
    return {
      servers,
      visitors: [
        sameLogin('remembered user', { path: '/basic', user: 'alice', password: PASSWORD }, { usual: [200], whileAway: [] }),
        sameLogin('remembered user, wrong password', { path: '/basic', user: 'alice', password: 'wrong' }, never),
        sameLogin('unknown user', { path: '/basic', user: 'nobody', password: PASSWORD }, never),
        {
          name: 'first login',
          usual: [200],
          whileAway: [],
          next: () => ({ path: '/basic', headers: basicAuth(newcomer(), PASSWORD) }),
        },
        { name: 'session of a form, on both servers', usual: [200], whileAway: [], next: () => session },
        {
          name: 'session that somebody else wrote',
          ...never,
          next: () => ({ path: '/form', headers: { Cookie: `${session.headers.Cookie.slice(0, -8)}AAAAAAA=` } }),
        },
        {
          // Redis forgets its counters, so a sum may be seen once before it went away and once after it.
          name: 'quota of 100',
          usual: [200, 429],
          whileAway: [503],
          next: () => ({ path: '/quota', headers: {} }),
          inspect({ status, body }) {
            if (status !== 200) return null
            const sum = Number.parseInt(body, 10)
            const isNew = !sums.has(sum)
            sums.add(sum)
            return isNew ? null : `the sum ${sum} twice`
          },
        },
      ],
      async prepare() {
        await servers[0].get('/basic', { headers: basicAuth('alice', PASSWORD) })
      },
      async end() {
        await redis.stop()
      },
      async restart() {
        sums.clear()
        await redis.restart()
      },
      isUsed: async (server) => [200, 429].includes((await server.get('/quota')).status),
    }
  },
}
