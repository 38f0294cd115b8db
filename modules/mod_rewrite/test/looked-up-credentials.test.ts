import { site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import rewrite from '../src/index.ts'

t.test('AuthBasicFake in a folder that a rule looks up does not authenticate the client elsewhere', async (t) => {
  const server = await site({
    modules: [authzCore, authnCore, authnFile, authzUser, authBasic, rewrite],
    files: { 'docs/open/a': 'a', 'docs/closed/b': 'b', 'conf/users': 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
    config: `RewriteEngine On
RewriteCond /open/a -U
RewriteRule ^/closed -
<Directory "@ROOT@/docs/open">
AuthBasicFake alice secret
</Directory>
<Directory "@ROOT@/docs/closed">
AuthType Basic
AuthName closed
AuthUserFile conf/users
Require valid-user
</Directory>`,
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/open/a')).status, 200)
  t.equal((await server.inject('/closed/b')).status, 401)
  const headers = { Authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}` }
  t.equal((await server.inject({ target: '/closed/b', headers })).status, 200)
})
