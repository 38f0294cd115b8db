import { existsSync } from 'node:fs'
import t from 'tap'
import { gatewright } from '../fixtures/gatewright.ts'

const RULES =
  'AuthType Basic\nAuthName "x"\nAuthUserFile /none\nRequire valid-user\nSatisfy any\nOrder allow,deny\nDeny from all\nAllow from env=near 10.1.2.3\n'
const installed = ['/usr/sbin/apache2', '/usr/sbin/httpd'].find((path) => existsSync(path))

t.test('an installed httpd confirms what is equal and what is not', { skip: installed === undefined }, async (t) => {
  const root = t.testdir({
    '.htaccess': 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n',
    both: { '.htaccess': RULES },
  })
  const exact = await gatewright(['migrate', '--oracle', installed ?? '', '--oracle-all', root])
  t.equal(exact.status, 0, exact.stderr)
  t.match(exact.stderr, /\nEqual: .*\nApache\/2\.4.* [1-9]\d+ confirmed, 0 contradicted\./)
  const words = ['--intent', 'documented', '--oracle-sample', '10']
  const documented = await gatewright(['migrate', '--oracle', installed ?? '', ...words, root])
  t.equal(documented.status, 1, documented.stderr)
  t.match(documented.stderr, /asked about 11 requests, before and after: 11 confirmed, 0 contradicted\.\n.*difference: confirmed/)
})
