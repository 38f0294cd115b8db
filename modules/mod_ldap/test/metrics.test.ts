import { basicAuth, silentPort, site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnzLdap from '../../mod_authnz_ldap/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import status from '../../mod_status/src/index.ts'
import ldap from '../src/index.ts'

t.setTimeout(600_000)

t.test('a directory that keeps logins waiting is left alone, nobody gets in, and metrics show it', async (t) => {
  const port = await silentPort(t)
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authBasic, ldap, authnzLdap, status],
    config: `LDAPConnectionTimeout 1
LDAPRetries 0
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider ldap
AuthLDAPURL "ldaps://127.0.0.1:${port}/dc=example,dc=org"
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
  const label = `{server="LDAP server 127.0.0.1:${port}"}`
  t.match(body, `gatewright_ldap_left_alone${label} 1\n`)
  t.match(body, new RegExp(`gatewright_ldap_failures_total\\${label} [1-9]`))
  t.match(body, `# TYPE gatewright_ldap_skipped counter`)
})
