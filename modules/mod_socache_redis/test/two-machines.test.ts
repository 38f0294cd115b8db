import { type AnyModule, type AuthnStatus, defineModule } from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import {
  basicAuth,
  hasMemcached,
  hasRedis,
  memcachedStore,
  moduleLog,
  redisStore,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnSocache from '../../mod_authn_socache/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import socacheMemcache from '../../mod_socache_memcache/src/index.ts'
import socacheRedis from '../src/index.ts'

t.setTimeout(600_000)

/** The hash of `secret`. */
const HASH = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='

/** A directory of users that can be away, and counts what it is asked. */
function directory(): { readonly module: AnyModule; isAway: boolean; asked: number } {
  const state = {
    isAway: false,
    asked: 0,
    module: defineModule({
      name: 'directory_module',
      source: 'mod_directory.c',
      register({ providers, functions, services }) {
        providers.authn.add('directory', {
          async checkPassword(request, user, password): Promise<AuthnStatus> {
            state.asked++
            if (state.isAway) return 'general-error'
            if (user !== 'alice') return 'not-found'
            functions.get(storeCredentials)?.(request, { provider: 'directory', user, realm: null, hash: HASH })
            return (await services.verifyPassword(HASH, password, request)) ? 'granted' : 'denied'
          },
        })
      },
    }),
  }
  return state
}

/** A server with a directory of its own, and the cache that all share. */
async function machine(
  t: Test,
  cache: string,
): Promise<{ readonly server: TestServer; readonly users: ReturnType<typeof directory> }> {
  const users = directory()
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authBasic, socacheRedis, socacheMemcache, authnSocache, users.module],
    config: `AuthnCacheSOCache ${cache}
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider socache directory
AuthnCacheProvideFor directory
Require valid-user
</Location>`,
    files: { 'docs/u': 'ok\n' },
  })
  t.teardown(() => server.close())
  return { server, users }
}

const KINDS = [
  { kind: 'redis', isInstalled: hasRedis(), start: redisStore },
  { kind: 'memcache', isInstalled: hasMemcached(), start: memcachedStore },
]

for (const { kind, isInstalled, start } of KINDS) {
  const skip = isInstalled ? false : `the server of ${kind} is not installed`
  t.test(`a login on one machine is remembered on the other, by ${kind}`, { skip }, async (t) => {
    const store = await start()
    t.teardown(() => store.close())
    const cache = `${kind}:${store.address}`
    const one = await machine(t, cache)
    const other = await machine(t, cache)
    const status = async ({ server }: { readonly server: TestServer }, password: string): Promise<number> =>
      (await server.inject({ target: '/u', headers: basicAuth('alice', password) })).status

    t.equal(await status(one, 'secret'), 200)
    other.users.isAway = true
    // The first machine does not wait until the cache has its entry.
    for (let now = 0; now !== 200; now = await status(other, 'secret')) await new Promise((resolve) => setTimeout(resolve, 20))
    t.equal(await status(other, 'wrong'), 401, 'the hash is remembered, not the login')
    const { asked } = other.users
    t.equal(await status(other, 'secret'), 200)
    t.equal(other.users.asked, asked, 'the directory is not asked')

    await store.stop()
    t.equal(await status(other, 'secret'), 500, 'without cache and directory nobody is known')
    other.users.isAway = false
    t.equal(await status(other, 'secret'), 200, 'without the cache the directory decides')
    t.equal(await status(other, 'wrong'), 401)
    t.equal(moduleLog(other.server, `socache_${kind}`).length, 1, 'one line')
    t.match(moduleLog(other.server, `socache_${kind}`)[0], /^error .* does not answer: .*; requests are served without it$/)
  })
}
