import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { pretendedHttpd } from './fixtures/pretended-httpd.ts'

const OLD = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n'

t.test('a httpd that decides otherwise than the proof is told of, and nothing is written', async (t) => {
  const root = t.testdir({ '.htaccess': OLD })
  const httpd = pretendedHttpd(t.testdirName, { status: 200 })
  const { status, stderr } = await gatewright(['migrate', '--in-place', '--oracle', httpd, root])
  t.equal(status, 3)
  t.match(stderr, /Apache\/2\.4\.99 was asked about \d+ requests, before and after: [1-9]\d* confirmed, [1-9]\d* contradicted/)
  t.match(stderr, /curl -i .*\n {4}from 192\.0\.2\.1\n {4}before: 200, claimed 403\n {4}after: {2}200, claimed 403\n/)
  t.match(stderr, /nothing was written/)
  t.equal(readFileSync(join(root, '.htaccess'), 'latin1'), OLD)
})

t.test('a httpd that does not load the configuration, and what is none, are told of', async (t) => {
  const root = t.testdir({ '.htaccess': OLD, refusing: {}, older: {} })
  const refusing = pretendedHttpd(join(root, 'refusing'), { complaint: 'AH00526: Syntax error on line 7' })
  const older = pretendedHttpd(join(root, 'older'), { version: 'Apache/2.2.15' })
  for (const [words, message] of [
    [['--oracle', refusing], /does not load the configuration:\nAH00526: Syntax error on line 7\nhint: /],
    [['--oracle', older], /is no Apache httpd 2\.4\nhint: /],
    [['--oracle', 'no-such-httpd'], /no-such-httpd: no such program\nhint: .*without it/],
    [['--oracle-all'], /go with --oracle PROGRAM/],
    [['--oracle', older, '--limit', '0'], /confirms a proof/],
    [['--oracle', older, '--oracle-sample', 'some'], /takes a number/],
  ] as const)
    t.match(await gatewright(['migrate', ...words, root]), { status: 2, stderr: message })
})

const installed = ['/usr/sbin/apache2', '/usr/sbin/httpd'].find((path) => existsSync(path))

t.test('an installed httpd confirms what is equal and what is not', { skip: installed === undefined }, async (t) => {
  const root = t.testdir({
    '.htaccess': OLD,
    both: {
      '.htaccess':
        'AuthType Basic\nAuthName "x"\nAuthUserFile /none\nRequire valid-user\nSatisfy any\nOrder allow,deny\nDeny from all\nAllow from env=near 10.1.2.3\n',
    },
  })
  const ask = async (...words: string[]): Promise<{ readonly status: number | null; readonly stderr: string }> =>
    gatewright(['migrate', '--oracle', installed ?? '', ...words, root])
  const exact = await ask('--oracle-all')
  t.equal(exact.status, 0, exact.stderr)
  t.match(exact.stderr, /\nEqual: .*\nApache\/2\.4.* [1-9]\d+ confirmed, 0 contradicted\./)
  const documented = await ask('--intent', 'documented', '--oracle-sample', '10')
  t.equal(documented.status, 1, documented.stderr)
  t.match(documented.stderr, / asked about 11 requests, before and after: 11 confirmed, 0 contradicted\./)
})
