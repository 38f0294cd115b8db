import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'

t.test('two folders of .htaccess files are compared although they lie in different places', async (t) => {
  const root = t.testdir({
    old: { '.htaccess': 'Options None\n', admin: { '.htaccess': 'Order deny,allow\nDeny from all\nAllow from 10\n' } },
    same: { '.htaccess': 'Options None\n', admin: { '.htaccess': 'Require ip 10\n' } },
    open: { '.htaccess': 'Options None\n' },
  })
  const [old, same, open] = ['old', 'same', 'open'].map((name) => join(root, name))
  t.match(await gatewright(['prove', old, same]), { status: 0, stdout: /^Equal/ })
  const differs = await gatewright(['prove', old, open])
  t.match(differs, {
    status: 1,
    stdout:
      /curl -i \S+\/admin\/\S+\n.*\n {2}before: 403\n.*\n +rules: \S+\/old\/admin\/\.htaccess:1\n {2}after: {2}404\n.*\n +no rules\n/,
  })
  t.match(await gatewright(['prove', open, old]), { status: 1, stdout: /before: 404\n.*\n +no rules\n {2}after: {2}403\n/ })
  const data = JSON.parse((await gatewright(['prove', '--json', old, open])).stdout)
  t.match(data.proof.difference, { before: { status: 403 }, after: { status: 404 } })
})

t.test(
  'the file of a virtual host is read as by a server with all modules; what is handed to a proxy counts as decided here',
  async (t) => {
    const root = t.testdir({})
    const site = (rules: string): string =>
      `<VirtualHost *:80>\nServerName one\n<Location />\n${rules}ProxyPassReverse http://127.0.0.1:9\nSecRuleEngine On\n</Location>\n` +
      'RewriteEngine on\nRewriteCond %{REQUEST_URI} ^/x\nRewriteRule .* http://127.0.0.1:9%{REQUEST_URI} [P,QSA]\n</VirtualHost>\n'
    const [old, now] = [join(root, 'old.conf'), join(root, 'new.conf')]
    writeFileSync(old, site('Order deny,allow\nAllow from all\n'))
    writeFileSync(now, site('Require all granted\n'))
    const equal = await gatewright(['prove', old, now])
    t.match(equal, { status: 0, stdout: /new\.conf:\d+: unknown to this server: SecRuleEngine .*\nEqual: [1-9]/s })
    t.match(equal.stdout, /old\.conf:11: unknown to this server: RewriteRule/)
    writeFileSync(now, site('Require local\n'))
    t.match(await gatewright(['prove', old, now]), { status: 1, stdout: /before: 404\n.*\n.*\n {2}after: {2}403/ })
  },
)

t.test('what cannot be compared is not called equal', async (t) => {
  const root = t.testdir({ tree: {}, 'a.conf': 'ServerName a\n', 'wrong.conf': 'Order sideways\n' })
  const [tree, conf, wrong] = ['tree', 'a.conf', 'wrong.conf'].map((name) => join(root, name))
  mkdirSync(join(root, 'logs'))
  t.match(await gatewright(['prove', tree]), { status: 2, stderr: /two configuration files, or two folders/ })
  t.match(await gatewright(['prove', tree, conf]), { status: 2, stderr: /cannot be compared/ })
  t.match(await gatewright(['prove', conf, wrong]), { status: 2, stderr: /wrong\.conf/ })
  t.match(await gatewright(['prove', conf, join(root, 'none')]), { status: 2, stderr: /Could not open configuration file/ })
  t.match(await gatewright(['prove', '--limit', '0', conf, conf]), { status: 2, stderr: /--limit/ })
  t.match(await gatewright(['prove', '--help']), { status: 0, stdout: /^Usage: gatewright prove/ })
})

t.test('the ban of .ht files around a folder is a place of the proof', async (t) => {
  const root = t.testdir({ a: { '.htaccess': 'Require all granted\n' }, b: { '.htaccess': 'Satisfy any\n' } })
  const [a, b] = ['a', 'b'].map((name) => join(root, name))
  t.match(await gatewright(['prove', a, b]), {
    status: 1,
    stdout: /\/\.ht.*\n.*\n {2}before: 403\n(?:.*\n)* {2}after: {2}(?:200|404)/,
  })
  t.match(await gatewright(['prove', a, a]), { status: 0, stdout: /^Equal/ })
})

t.test('skipped lines are reported with their line in the file', async (t) => {
  const root = t.testdir({})
  const file = join(root, 'one.conf')
  writeFileSync(
    file,
    'NameVirtualHost *\nServerName one\nMaxClients 5\nFoo bar\n<Location />\nOrder allow,deny\nAllow from all\n</Location>\n',
  )
  t.match(await gatewright(['prove', file, file]), { status: 0, stdout: /one\.conf:4: unknown to this server: Foo bar/ })
})
