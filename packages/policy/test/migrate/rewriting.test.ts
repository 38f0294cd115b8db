import { join } from 'node:path'
import t, { type Test } from 'tap'
import { AUTH, MigrateSite, newText } from '../support/migrate-site.ts'

const section = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}</Directory>\n`

/** The rewritten lines of a separate section; both are proved equal. */
async function rewritten(t: Test, lines: string): Promise<string | undefined> {
  const site = new MigrateSite(t, section(lines))
  const migration = await site.migrate()
  t.strictSame(migration.left, [])
  const proof = await site.prove(migration)
  t.equal(proof.difference, null)
  return newText(migration)?.replaceAll(site.root, '@ROOT@').split('\n').slice(1, -2).join('\n')
}

t.test('every kind of word after "from" has its Require line', async (t) => {
  t.equal(
    await rewritten(t, 'Order deny,allow\nDeny from all\nAllow from 10.1 192.168.0.0/16 .example.org env=in env=!out\n'),
    [
      'Require ip 10.1 192.168.0.0/16',
      'Require host .example.org',
      'Require env in',
      '<RequireAll>',
      '  Require all granted',
      '  Require not env out',
      '</RequireAll>',
    ].join('\n'),
  )
  t.equal(await rewritten(t, 'Order allow,deny\nAllow from all\nDeny from env=!ok\n'), 'Require env ok')
  t.equal(
    await rewritten(t, 'Order mutual-failure\nAllow from 10\nDeny from 10.1\n'),
    '<RequireAll>\n  Require ip 10\n  Require not ip 10.1\n</RequireAll>',
  )
})

t.test('comments, order, line ends and indentation stay', async (t) => {
  t.equal(
    await rewritten(t, '\t# who\r\n\tOrder allow,deny\r\n\tOptions None\r\n\t# all of them\r\n\tAllow from all\r\n'),
    '\t# who\r\n\tRequire all granted\r\n\tOptions None\r\n\t# all of them\r',
  )
})

t.test('rules for some methods become terms about methods, and the emptied Limit is removed', async (t) => {
  t.equal(
    await rewritten(t, '<Limit POST PUT>\n  # writers\n  Order deny,allow\n  Deny from all\n  Allow from 10\n</Limit>\n'),
    [
      '<RequireAll>',
      '  Require method POST PUT',
      '  Require ip 10',
      '</RequireAll>',
      '<RequireAll>',
      '  Require all granted',
      '  Require not method POST PUT',
      '</RequireAll>',
      '  # writers',
    ].join('\n'),
  )
  t.equal(
    await rewritten(t, `${AUTH}<LimitExcept GET>\nRequire valid-user\n</LimitExcept>\nOrder allow,deny\nAllow from all\n`),
    `${AUTH}<LimitExcept GET>\nRequire valid-user\n</LimitExcept>`,
  )
})

t.test('a guard about mod_access_compat becomes one about mod_authz_core, which reads the new lines', async (t) => {
  t.equal(
    await rewritten(t, '<IfModule mod_access_compat.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n'),
    '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>',
  )
})

t.test('files with both dialects in guards need no change', async (t) => {
  const both =
    '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n'
  t.equal(await rewritten(t, both), undefined)
  t.equal(await rewritten(t, '<IfVersion < 2.4>\nOrder deny,allow\n</IfVersion>\nRequire all granted\n'), undefined)
})

t.test('rules that a section inherited in the other dialect are written in it', async (t) => {
  const site = new MigrateSite(t, section('AllowOverride All\nOrder deny,allow\nDeny from all\nAllow from 10\n'), {
    private: `${AUTH.replaceAll('@ROOT@', '/none')}Require valid-user\n`,
    open: 'Allow from 10.1\n',
  })
  const migration = await site.migrate()
  const texts = new Map(migration.files.map(({ path, after }) => [path, after]))
  t.match(
    texts.get(join(site.root, 'docs/private/.htaccess')),
    /<RequireAll>\n {2}Require ip 10\n {2}Require valid-user\n<\/RequireAll>/,
  )
  // The section's own set replaces the outer one as a whole: without a Deny, everyone has access.
  t.equal(texts.get(join(site.root, 'docs/open/.htaccess')), 'Require all granted\n')
  t.equal((await site.prove(migration)).difference, null)
})

t.test(
  'a section that means different things below different sections stays, and so does what acts together with it',
  async (t) => {
    const config = `<Directory "@ROOT@/docs">
Order deny,allow
Deny from all
Allow from 10
</Directory>
<Directory "@ROOT@/docs/b">
Order deny,allow
Deny from all
Allow from 11
</Directory>
<Files "x.html">
Require ip 10.1 11.1
</Files>
`
    const site = new MigrateSite(t, config)
    const migration = await site.migrate()
    t.strictSame(migration.files, [])
    t.match(migration.left, [
      { line: 11, text: /its meaning depends on the enclosing section/ },
      { line: 1, text: /combines with <Files "x.html">/ },
      { line: 6, text: /combines with/ },
    ])
    t.equal((await site.prove(migration)).difference, null)
  },
)

t.test('words that Require would read otherwise are left alone', async (t) => {
  const migration = await new MigrateSite(t, section('Order deny,allow\nDeny from %{REMOTE_ADDR}\n')).migrate()
  t.strictSame(migration.files, [])
  t.match(migration.left, [{ text: /has a different meaning/ }])
})

t.test('AuthType without Require, an error in 2.4, is left unless it is to mean what it did in 2.2', async (t) => {
  const config = section(`${AUTH}Order deny,allow\nDeny from 10\n`)
  t.match((await new MigrateSite(t, config).migrate()).left, [{ text: /answers with 500/ }])
  const site = new MigrateSite(t, config)
  t.match(newText(await site.migrate('documented')), /Require not ip 10/)
})

t.test('rules in an <If> are changed when they mean the same wherever they apply', async (t) => {
  const site = new MigrateSite(
    t,
    `${section('Order allow,deny\nAllow from all\n')}<If "%{QUERY_STRING} == 'x'">\nOrder deny,allow\nDeny from all\n</If>\n`,
  )
  const migration = await site.migrate()
  t.strictSame(migration.left, [])
  t.match(newText(migration), /<If [^>]+>\nRequire all denied\n<\/If>/)
  const proof = await site.prove(migration)
  t.equal(proof.difference, null)
  t.match(proof.sampled, [/no request made its condition hold/])
})

t.test('a .htaccess file that no request reads is named, and stays', async (t) => {
  const site = new MigrateSite(t, '<Directory />\nAllowOverride None\n</Directory>\n', { sub: 'Order deny,allow\n' })
  const migration = await site.migrate()
  t.strictSame(migration.files, [])
  t.match(migration.left, [{ file: join(site.root, 'docs/sub/.htaccess'), text: /AllowOverride/ }])
})

t.test('a .htaccess file that is refused because no AllowOverride line applies is named with its line, and stays', async (t) => {
  const site = new MigrateSite(t, '', { sub: 'Order deny,allow\n' })
  const migration = await site.migrate()
  t.strictSame(migration.files, [])
  t.match(migration.left, [{ file: join(site.root, 'docs/sub/.htaccess'), line: 1, text: /^order not allowed here; / }])
})
