import t from 'tap'
import { AUTH, MigrateSite, newText } from '../support/migrate-site.ts'

const FLOOR = '<Directory "@ROOT@/docs">\n  AllowOverride All\n</Directory>\n'
const CLOSED = '<FilesMatch ".*">\n  Order allow,deny\n  Deny from all\n</FilesMatch>\n'
const OPEN_IMAGES = '<FilesMatch "\\.(gif|png)$">\n  Order allow,deny\n  Allow from all\n</FilesMatch>\n'
const BAN = '<Files ".hidden">\n  Order allow,deny\n  Deny from all\n  Satisfy All\n  Require all denied\n</Files>\n'
const NEW =
  '<FilesMatch ".*">\n  Require all denied\n</FilesMatch>\n<FilesMatch "\\.(gif|png)$">\n  Require all granted\n</FilesMatch>\n'

t.test('a file that stays holds nothing back that does not depend on it', async (t) => {
  // Without Require, access under an AuthType is an error of the server in 2.4.
  const stays = `${AUTH}${CLOSED}${OPEN_IMAGES}`
  const site = new MigrateSite(t, FLOOR + BAN, { shut: CLOSED + OPEN_IMAGES, stays })
  const migration = await site.migrate()
  t.strictSame(
    migration.files.map(({ path, after }) => [path.slice(site.root.length), after]),
    [
      ['/conf/httpd.conf', `${FLOOR.replace('@ROOT@', site.root)}<Files ".hidden">\n  Require all denied\n</Files>\n`],
      ['/docs/shut/.htaccess', NEW],
    ],
  )
  t.strictSame([...new Set(migration.left.map(({ file }) => file.slice(site.root.length)))], ['/docs/stays/.htaccess'])
  t.equal((await site.prove(migration)).difference, null)
})

t.test('remaining rules are reported with the line of the first one', async (t) => {
  const site = new MigrateSite(t, FLOOR, {
    '': '# ours\nOptions None\nSatisfy Any\nAllow from "a b"\n',
    sub: 'Require user bob\n',
  })
  const { files, left } = await site.migrate()
  t.strictSame(files, [])
  t.match(left, [{ line: 3, text: /'a b' has a different meaning/ }])
})

t.test('a file without a line end at its end gets none', async (t) => {
  const site = new MigrateSite(t, FLOOR, { '': 'Deny from all' })
  t.equal(newText(await site.migrate()), 'Require all denied')
  const windows = new MigrateSite(t, FLOOR, { '': '# nobody\r\nOrder deny,allow\r\nDeny from all' })
  t.equal(newText(await windows.migrate()), '# nobody\r\nRequire all denied')
})

t.test("'none' is reported as the name of a host", async (t) => {
  const site = new MigrateSite(t, FLOOR, { '': 'Allow from none\nDeny from all\n' })
  const migration = await site.migrate()
  t.equal(newText(migration), 'Require host none\n')
  t.match(migration.remarks, [{ line: 1, text: /is a host name/ }])
})
