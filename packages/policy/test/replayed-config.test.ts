import t from 'tap'
import { ClaimSample, httpdAccessFile, httpdConfig, OtherRoot } from '../src/index.ts'
import { MigrateSite } from './support/migrate-site.ts'

const PLACES = {
  root: new OtherRoot('/other'),
  usersFile: '/users',
  address: (address: string) => (address === '10.0.0.1' ? '127.0.0.2' : '127.0.0.1'),
  port: () => 4000,
}

t.test('a configuration is printed without includes, macros, variables and guards, below another root', async (t) => {
  const config = `Define NET 10.1
<Macro Closed $net>
Order deny,allow
Deny from all
Allow from $net
</Macro>
<IfModule mod_authz_core.c>
<VirtualHost 10.0.0.1:80>
ServerName a:80
DocumentRoot /srv/a
<Directory "/srv/a">
Use Closed \${NET}
AuthBasicProvider file file
AuthUserFile conf/users
</Directory>
</VirtualHost>
</IfModule>
<DirectoryMatch "^/srv/(a|b)">
Options None
</DirectoryMatch>
<Directory />
AllowOverride All
</Directory>
ErrorLog /dev/null
`
  const site = new MigrateSite(t, config)
  const migration = await site.migrate()
  const server = await site.open(migration.before)
  t.teardown(() => server.close())
  const text = httpdConfig(server, PLACES)
  t.match(
    text,
    /<VirtualHost 127\.0\.0\.2:4000>\nServerName a\nDocumentRoot "\/other\/srv\/a"\n<Directory "\/other\/srv\/a">\nOrder deny,allow\n/,
  )
  t.match(text, /\nAllow from 10\.1\nAuthBasicProvider file\nAuthUserFile "\/users"\n<\/Directory>/)
  t.match(text, /<DirectoryMatch "\^\/other\/srv\/\(a\|b\)">/)
  t.match(text, /<Directory "\/">\nAllowOverride All Nonfatal=Unknown\n/)
  t.notMatch(text, /ErrorLog|Macro|IfModule|Define/)
})

t.test('patterns are moved wherever they begin', (t) => {
  const root = new OtherRoot('/o.t')
  t.equal(root.pattern('^/a|(^/b)[^/]\\^x'), '^/o\\.t/a|(^/o\\.t/b)[^/]\\^x')
  t.equal(root.directory('~ "^/a"'), '~ "^/o\\.t/a"')
  t.end()
})

t.test('.htaccess files get the users of the proof', (t) => {
  const text = 'authuserfile /srv/x\n  AuthBasicProvider ldap\nRequire valid-user\n'
  t.equal(httpdAccessFile(text, '/u'), 'AuthUserFile "/u"\n  AuthBasicProvider file\nRequire valid-user\n')
  t.end()
})

t.test('a sample of claims is spread over all of them and never larger than wanted', (t) => {
  const decided = { status: 200, challenge: '', user: null }
  const question = {
    method: 'GET',
    host: 'a',
    localAddress: '127.0.0.1',
    localPort: 80,
    client: '::1',
    credentials: null,
    headers: [],
  }
  for (const [count, limit] of [
    [5, 10],
    [1000, 10],
    [19, 10],
    [7, 0],
    [30, Number.POSITIVE_INFINITY],
  ]) {
    const sample = new ClaimSample(limit)
    for (let index = 0; index < count; index++)
      sample.add({
        question: { ...question, target: `/${index}` },
        variables: [],
        byName: false,
        otherLogin: false,
        before: decided,
        after: decided,
      })
    const targets = sample.claims.map(({ question: { target } }) => Number(target.slice(1)))
    t.ok(targets.length <= limit && targets.length >= Math.min(count, limit) / 2, `${targets.length} of ${count}, limit ${limit}`)
    if (limit > 0) t.ok((targets.at(-1) ?? 0) >= count / 2, `the last is ${targets.at(-1)}`)
  }
  t.end()
})
