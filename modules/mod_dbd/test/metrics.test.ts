import { basicAuth, silentPort, site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnDbd from '../../mod_authn_dbd/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import status from '../../mod_status/src/index.ts'
import dbd from '../src/index.ts'

t.setTimeout(600_000)

t.test('a database that keeps logins waiting is left alone, nobody gets in, and metrics show it without secrets', async (t) => {
  const port = await silentPort(t)
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authBasic, dbd, authnDbd, status],
    config: `Timeout 1
DBDriver pgsql
DBDParams "host=127.0.0.1 port=${port} dbname=site user=www password='a host=secret'"
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider dbd
AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"
Require valid-user
</Location>
<Location "/server-status">
SetHandler server-status
Require all granted
</Location>`,
    files: { 'docs/u': 'content' },
  })
  t.teardown(() => server.close())
  for (let count = 0; count < 2; count++)
    t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 500)
  const { body } = await server.inject('/server-status?metrics')
  const label = `{server="database pgsql host=127.0.0.1 port=${port} dbname=site"}`
  t.match(body, `gatewright_dbd_left_alone${label} 1\n`)
  t.match(body, new RegExp(`gatewright_dbd_failures_total\\${label} [1-9]`))
  t.match(body, `# TYPE gatewright_dbd_skipped counter`)
  t.notMatch(body, 'secret')
})
