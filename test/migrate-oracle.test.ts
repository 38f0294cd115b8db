import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { pretendedHttpd } from './fixtures/pretended-httpd.ts'

const OLD = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n'

t.test('an httpd that decides differently from the proof is reported, and nothing is written', async (t) => {
  const root = t.testdir({ '.htaccess': OLD })
  const httpd = pretendedHttpd(t.testdirName, { status: 200 })
  const { status, stderr } = await gatewright(['migrate', '--in-place', '--oracle', httpd, root])
  t.equal(status, 3)
  t.match(stderr, /Apache\/2\.4\.99 was asked about \d+ requests, before and after: [1-9]\d* confirmed, [1-9]\d* contradicted/)
  t.match(stderr, /curl -i .*\n {4}from 192\.0\.2\.1\n {4}before: 200, claimed 403\n {4}after: {2}200, claimed 403\n/)
  t.match(stderr, /nothing was written/)
  t.equal(readFileSync(join(root, '.htaccess'), 'latin1'), OLD)
})

t.test('an httpd that does not load the configuration is reported with its message', async (t) => {
  const root = t.testdir({ '.htaccess': OLD })
  const httpd = pretendedHttpd(t.testdirName, { complaint: 'AH00526: Syntax error on line 7' })
  const { status, stderr } = await gatewright(['migrate', '--oracle', httpd, root])
  t.equal(status, 2)
  t.match(stderr, /does not load the configuration:\nAH00526: Syntax error on line 7\nhint: .*\n.*nothing was written/)
})
