import t, { type Test } from 'tap'
import { MigrateSite } from '../support/migrate-site.ts'

const folder = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}</Directory>\n`

/** A section's lines after removing guards; both are proved equal. */
async function collapsed(t: Test, lines: string): Promise<{ readonly text: string; readonly remarks: readonly string[] }> {
  const site = new MigrateSite(t, folder(lines))
  const migration = await site.migrate('exact', 'collapsed')
  t.equal((await site.prove(migration)).difference, null)
  const [{ after } = { after: site.configText }] = migration.files
  return {
    text: after.replaceAll(site.root, '@ROOT@').split('\n').slice(1, -2).join('\n'),
    remarks: migration.remarks.map(({ line, text }) => `${line} ${text}`),
  }
}

t.test('of two halves the one that is read stays, as far to the left as its guard was', async (t) => {
  const { text, remarks } = await collapsed(
    t,
    `  # before
  <IfModule !mod_authz_core.c>
    # for 2.2
    Order deny,allow
    Deny from all
  </IfModule>
  Options None
  <IfModule mod_authz_core.c>
      # for 2.4
      <RequireAny>
        Require ip 10
      </RequireAny>
  </IfModule>
`,
  )
  t.equal(text, '  # before\n  Options None\n  # for 2.4\n  <RequireAny>\n    Require ip 10\n  </RequireAny>')
  t.strictSame(remarks, [])
})

t.test('guards about versions and about mod_access_compat go, also nested ones', async (t) => {
  const { text } = await collapsed(
    t,
    `<IfVersion < 2.4>
  Order allow,deny
</IfVersion>

<IfVersion >= 2.4>
  <IfModule mod_access_compat.c>
    Order allow,deny
    Allow from 10
  </IfModule>
  <IfModule !mod_access_compat.c>
    Require ip 10
  </IfModule>

</IfVersion>
Options None
`,
  )
  t.equal(text, 'Require ip 10\n\nOptions None')
})

t.test('a guard with other content is kept, and the content is reported', async (t) => {
  const lines = `<IfModule mod_authz_core.c>
Require all granted
Options None
</IfModule>
<IfVersion < 2.4>
DefaultType none
</IfVersion>
<IfModule mod_setenvif.c>
Require env X
</IfModule>
`
  const { text, remarks } = await collapsed(t, lines)
  t.equal(`${text}\n`, lines)
  t.match(remarks, [
    /^2 <IfModule mod_authz_core\.c> is kept: it contains Options/,
    /^6 <IfVersion < 2\.4> is kept: it contains DefaultType/,
  ])
})

t.test('old rules that have to stay keep their guard', async (t) => {
  const { text, remarks } = await collapsed(t, '<IfModule mod_access_compat.c>\nDeny from %{REMOTE_ADDR}\n</IfModule>\n')
  t.match(text, /^<IfModule mod_access_compat\.c>\nDeny from/)
  t.match(remarks, [/is kept: so are old rules in it/])
})

t.test('the halves in .htaccess files, in includes and in macros go as well', async (t) => {
  const halves =
    '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n'
  const site = new MigrateSite(
    t,
    `${folder('AllowOverride All\n')}<Macro M>\n${halves}</Macro>\n<Location /l>\nUse M\n</Location>\n<Files f>\nInclude conf/h.inc\n</Files>\n`,
    { a: halves },
    { 'h.inc': halves },
  )
  const migration = await site.migrate('exact', 'collapsed')
  t.equal((await site.prove(migration)).difference, null)
  t.equal(migration.files.length, 3)
  for (const { after } of migration.files) {
    t.match(after, /^(?:<Macro M>\n)?Require all denied\n/m)
    t.notMatch(after, /IfModule/)
  }
})

t.test('many comparisons of versions distinguish 2.4 from earlier versions', async (t) => {
  for (const newer of ['>= 2.4', '>= 2.4.0', '> 2.2', '!< 2.4', '>= "2.3"'])
    t.equal((await collapsed(t, `<IfVersion ${newer}>\nRequire ip 10\n</IfVersion>\n`)).text, 'Require ip 10', newer)
  for (const older of ['< 2.4', '<= 2.2', '!>= 2.4'])
    t.equal(
      (await collapsed(t, `Require ip 10\n<IfVersion ${older}>\nDeny from all\n</IfVersion>\n`)).text,
      'Require ip 10',
      older,
    )
  const later = '<IfVersion >= 2.4.10>\nRequire ip 10\n</IfVersion>'
  t.equal((await collapsed(t, `${later}\n`)).text, later)
})
