import t from 'tap'
import { AUTH, MigrateSite, newText } from '../support/migrate-site.ts'

const section = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}</Directory>\n`

/** The guide's table from 2.2 to 2.4, row by row. */
const ROWS: readonly { readonly name: string; readonly old: string; readonly new: string }[] = [
  { name: 'all denied', old: 'Order deny,allow\nDeny from all\n', new: 'Require all denied\n' },
  { name: 'all granted', old: 'Order allow,deny\nAllow from all\n', new: 'Require all granted\n' },
  {
    name: 'a domain',
    old: 'Order Deny,Allow\nDeny from all\nAllow from example.org\n',
    new: 'Require host example.org\n',
  },
  {
    name: 'host control that is merely switched off',
    old: `${AUTH}Order Deny,Allow\nAllow from all\nRequire valid-user\n`,
    new: `${AUTH}Require valid-user\n`,
  },
]

for (const row of ROWS)
  t.test(`the guide's table: ${row.name}`, async (t) => {
    const site = new MigrateSite(t, section(row.old))
    const migration = await site.migrate()
    t.strictSame(migration.left, [])
    t.equal(newText(migration), section(row.new).replaceAll('@ROOT@', site.root))
  })

const BOTH = `${AUTH}Order allow,deny\nDeny from all\nSatisfy ALL\nAllow from 192.0.2.1\nRequire valid-user\n`

t.test("the guide's table: both criteria are needed, as documented and as httpd acts", async (t) => {
  const site = new MigrateSite(t, section(BOTH))
  const documented = await site.migrate('documented')
  const want = `${AUTH}<RequireAll>\n  Require ip 192.0.2.1\n  Require valid-user\n</RequireAll>\n`
  t.equal(newText(documented), section(want).replaceAll('@ROOT@', site.root))
  t.match(documented.remarks, [{ text: /read as Order deny,allow/ }])
  const exact = await site.migrate()
  t.equal(newText(exact), section(`${AUTH}Require all denied\n`).replaceAll('@ROOT@', site.root))
  t.match(exact.remarks, [{ line: 6, text: /--intent documented/ }])
})

t.test("the guide's table: either criterion is enough, as documented and as httpd acts", async (t) => {
  const site = new MigrateSite(t, section(BOTH.replace('ALL', 'any')))
  const documented = await site.migrate('documented')
  const want = `${AUTH}Require ip 192.0.2.1\nRequire valid-user\n`
  t.equal(newText(documented), section(want).replaceAll('@ROOT@', site.root))
  const exact = await site.migrate()
  t.equal(newText(exact), section(`${AUTH}Require valid-user\n`).replaceAll('@ROOT@', site.root))
})
