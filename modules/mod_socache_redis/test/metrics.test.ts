import { createServer } from 'node:net'
import { basicAuth, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authnSocache from '../../mod_authn_socache/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import socacheMemcache from '../../mod_socache_memcache/src/index.ts'
import status from '../../mod_status/src/index.ts'
import socacheRedis from '../src/index.ts'

/** A port of 127.0.0.1 where every connection is closed at once. */
async function refusingPort(t: Test): Promise<number> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

for (const kind of ['redis', 'memcache']) {
  t.test(`metrics and JSON show a ${kind} server that does not answer`, async (t) => {
    const port = await refusingPort(t)
    const server = await site({
      modules: [authzCore, authzUser, authnCore, authnFile, authBasic, socacheRedis, socacheMemcache, authnSocache, status],
      config: `AuthnCacheSOCache ${kind}:127.0.0.1:${port}
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider socache file
AuthUserFile @ROOT@/users
AuthnCacheProvideFor file
Require valid-user
</Location>
<Location "/server-status">
SetHandler server-status
Require all granted
</Location>`,
      files: { users: 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n', 'docs/u': 'content' },
    })
    t.teardown(() => server.close())
    t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 200, 'without the cache')
    const { body } = await server.inject('/server-status?metrics')
    const label = `{server="${kind} server 127.0.0.1:${port}"}`
    t.match(body, `gatewright_${kind}_left_alone${label} 1\n`)
    t.match(body, new RegExp(`gatewright_${kind}_failures_total\\${label} [1-9]`))
    t.match(body, `# TYPE gatewright_${kind}_skipped counter`)
    t.match((await server.inject('/server-status?json')).body, `gatewright_${kind}_left_alone`)
  })
}
