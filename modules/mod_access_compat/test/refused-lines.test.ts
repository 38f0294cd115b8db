import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import accessCompat from '../src/index.ts'

t.test('a line in .htaccess that Nonfatal ignores still resets the rules, as in httpd', async (t) => {
  const server = await site({
    modules: [authzCore, accessCompat],
    config:
      '<Directory @ROOT@/docs>\nAllowOverride AuthConfig Nonfatal=All\nRequire all granted\nOrder allow,deny\nDeny from all\n</Directory>',
    files: { 'docs/f': 'f', 'docs/d/f': 'f', 'docs/d/.htaccess': 'Order deny,allow', 'docs/e/f': 'f', 'docs/e/.htaccess': '' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f')).status, 403)
  t.equal((await server.inject('/d/f')).status, 200)
  t.equal((await server.inject('/e/f')).status, 403)
})
