import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MigrateSite } from '../support/migrate-site.ts'

const folder = (name: string, lines: string): string => `<Directory "@ROOT@/docs/${name}">\n${lines}</Directory>\n`
const CLOSED = 'Order deny,allow\nDeny from all\n'

interface Site {
  readonly config: string
  readonly accessFiles?: Readonly<Record<string, string>>
  readonly included?: Readonly<Record<string, string>>
}

/** The changed files by name, and the remaining rules; the result is proved equal. */
async function migrated(t: Test, { config, accessFiles = {}, included = {} }: Site) {
  const site = new MigrateSite(t, config, accessFiles, included)
  const migration = await site.migrate()
  const proof = await site.prove(migration)
  t.equal(proof.difference, null)
  t.ok(proof.classes > 0)
  const relative = (text: string): string => text.replaceAll(join(site.root, 'conf/'), '').replaceAll(site.root, '@ROOT@')
  return {
    files: Object.fromEntries(migration.files.map(({ path, after }) => [relative(path), relative(after)])),
    left: migration.left.map(({ file, line, text }) => `${relative(file)}:${line} ${relative(text)}`),
  }
}

t.test('a file that two virtual hosts include is rewritten once', async (t) => {
  const host = (name: string): string => `<VirtualHost *:80>\nServerName ${name}\nInclude conf/acl.conf\n</VirtualHost>\n`
  const { files, left } = await migrated(t, {
    config: host('a') + host('b'),
    included: { 'acl.conf': folder('', `${CLOSED}Allow from 10\n`) },
  })
  t.strictSame(files, { 'acl.conf': folder('', 'Require ip 10\n') })
  t.strictSame(left, [])
})

t.test('sections that share lines from an include continue to share common rules', async (t) => {
  const { files, left } = await migrated(t, {
    config: folder('a', 'Include conf/acl.inc\n') + folder('b', 'Include conf/acl.inc\n'),
    included: { 'acl.inc': `# friends\n${CLOSED}Allow from 10\n` },
  })
  t.strictSame(files, { 'acl.inc': '# friends\nRequire ip 10\n' })
  t.strictSame(left, [])
})

t.test('individual rules of a section are in the section, not in the shared lines', async (t) => {
  const { files, left } = await migrated(t, {
    config: folder('a', 'Include conf/acl.inc\nAllow from 10\n') + folder('b', 'Include conf/acl.inc\nAllow from 11\n'),
    included: { 'acl.inc': CLOSED },
  })
  t.strictSame(files, {
    'httpd.conf': folder('a', 'Include conf/acl.inc\nRequire ip 10\n') + folder('b', 'Include conf/acl.inc\nRequire ip 11\n'),
    'acl.inc': '',
  })
  t.strictSame(left, [])
})

t.test('shared lines that would have to differ stay, and both places are named', async (t) => {
  const { files, left } = await migrated(t, {
    config: folder('a', 'Include conf/acl.inc\n') + folder('b', 'Require ip 11\nInclude conf/acl.inc\n'),
    included: { 'acl.inc': `${CLOSED}Allow from 10\n` },
  })
  t.strictSame(files, {})
  t.match(left, [/^httpd\.conf:1 the same lines are read for httpd\.conf:1 and for httpd\.conf:4/, /^httpd\.conf:4 /])
})

t.test('files that a pattern includes are rewritten, and a pattern that finds none does no harm', async (t) => {
  const { files } = await migrated(t, {
    config: 'IncludeOptional conf/none/*.conf\nInclude conf/sites/*.conf\n',
    included: { 'sites/1.conf': folder('1', CLOSED), 'sites/2.conf': folder('2', 'Order allow,deny\nAllow from all\n') },
  })
  t.strictSame(files, {
    'sites/1.conf': folder('1', 'Require all denied\n'),
    'sites/2.conf': folder('2', 'Require all granted\n'),
  })
})

t.test('the body of a macro is rewritten with its parameters when all uses agree', async (t) => {
  const macro = (lines: string): string =>
    `<Macro Acl $dir $net>\n# who\n${folder('$dir', lines)}</Macro>\nUse Acl a 10.0.0.0/8\nUse Acl b 192.168.0.0/16\n`
  const { files, left } = await migrated(t, { config: macro(`${CLOSED}Allow from $net\n`) })
  t.strictSame(files, { 'httpd.conf': macro('Require ip $net\n') })
  t.strictSame(left, [])
})

t.test('a macro whose parameter is an address in one use and a name in another stays, and both uses are named', async (t) => {
  const body = folder('$dir', `${CLOSED}Allow from $net\n`)
  const { files, left } = await migrated(t, {
    config: `<Macro Acl $dir $net>\n${body}</Macro>\nUse Acl a 10\nUse Acl b .example.org\n`,
  })
  t.strictSame(files, {})
  t.match(left[0], /by Use at httpd\.conf:8\) and for .*by Use at httpd\.conf:9/)
})

t.test('a macro whose parameters may be any word stays', async (t) => {
  const { files, left } = await migrated(t, {
    config: `<Macro Acl ip>\n${folder('ip', `${CLOSED}Allow from 10\n`)}</Macro>\nUse Acl a\n`,
  })
  t.strictSame(files, {})
  t.match(left, [/parameters of the macro begin with none of/])
})

t.test('macros in sections, in macros and in .htaccess files are rewritten where they are defined', async (t) => {
  const sections = await migrated(t, {
    config: `<Macro Closed>\n  Order deny,allow\n  Deny from all\n</Macro>\n${folder('a', 'Use Closed\n')}${folder('b', 'Use Closed\n')}`,
  })
  t.match(sections.files['httpd.conf'], /^<Macro Closed>\n {2}Require all denied\n<\/Macro>\n/)
  const inner = '<Macro In $n>\nAllow from $n\n</Macro>\n'
  const nested = await migrated(t, {
    config: `${inner}<Macro Out $d $n>\n${folder('$d', `${CLOSED}Use In $n\n`)}</Macro>\nUse Out a 10\nUse Out b 11\n`,
  })
  t.match(nested.files['httpd.conf'], /^<Macro In \$n>\nRequire ip \$n\n<\/Macro>\n/)
  t.notMatch(nested.files['httpd.conf'], /Deny/)
  const below = await migrated(t, {
    config: folder('', 'AllowOverride All\n'),
    accessFiles: { a: `<Macro X>\n${CLOSED}</Macro>\nUse X\nAllow from 10\n` },
  })
  t.strictSame(below.files, { '@ROOT@/docs/a/.htaccess': '<Macro X>\nRequire ip 10\n</Macro>\nUse X\n' })
})

t.test('rules that are not read are listed: of unused macros, and in false guards', async (t) => {
  const { files, left } = await migrated(t, {
    config: `<Macro Never>\n${CLOSED}</Macro>\n<IfDefine Later>\n${folder('x', CLOSED)}</IfDefine>\n`,
  })
  t.strictSame(files, {})
  t.match(left, [/^httpd\.conf:2 no Use line refers to the macro of line 1/, /^httpd\.conf:7 <IfDefine Later> in line 5/])
})

t.test('variables stay in the new lines as long as they have one value, also where an inner section inherits them', async (t) => {
  const rules = `${CLOSED}Allow from \${NET} 127.0.0.1\n`
  const { files } = await migrated(t, { config: `Define NET 10.0.0.0/8\n${folder('', rules)}${folder('b', 'Require env X\n')}` })
  const inner = '<RequireAll>\n  Require ip ${NET} 127.0.0.1\n  Require env X\n</RequireAll>\n'
  t.strictSame(files, {
    'httpd.conf': `Define NET 10.0.0.0/8\n${folder('', 'Require ip ${NET} 127.0.0.1\n')}${folder('b', inner)}`,
  })
  const several = await migrated(t, {
    config: `Define NETS "10.0.0.0/8 11.0.0.0/8"\n${folder('', `${CLOSED}Allow from \${NETS}\n`)}`,
  })
  t.match(several.files['httpd.conf'], /\nRequire ip \$\{NETS\}\n/)
  const among = await migrated(t, {
    config: `Define NETS "10.0.0.0/8 11.0.0.0/8"\n${folder('', `${CLOSED}Allow from 12 \${NETS} 13 env=x\n`)}`,
  })
  t.match(among.files['httpd.conf'], /\nRequire ip 12 \$\{NETS\} 13\nRequire env x\n/)
  const changed = await migrated(t, { config: `Define NET 10\n${folder('', rules)}Define NET 11\n` })
  t.match(changed.files['httpd.conf'], /\nRequire ip 10 127\.0\.0\.1\n/)
})

t.test('an undefined variable is kept, with the line', async (t) => {
  const { left } = await migrated(t, { config: folder('', `${CLOSED}Allow from env=\${NO}\n`) })
  t.match(left, [/^httpd\.conf:1 'env=\$\{NO\}' has a different meaning/])
})

t.test('AuthMerging is resolved where old rules act together with it', async (t) => {
  const outer = folder('', 'Require ip 10\n')
  const host = 'Order allow,deny\nAllow from all\nDeny from 10.9\n'
  const inner = async (lines: string): Promise<string> => {
    const { files, left } = await migrated(t, { config: outer + folder('b', lines) })
    t.strictSame(left, [])
    return files['httpd.conf'].slice(outer.length)
  }
  t.equal(
    await inner(`AuthMerging And\nRequire ip 10.1\n${host}`),
    folder('b', '<RequireAll>\n  Require not ip 10.9\n  Require ip 10\n  Require ip 10.1\n</RequireAll>\n'),
  )
  t.equal(
    await inner(`AuthMerging Or\nRequire ip 11\n${host}`),
    folder(
      'b',
      '<RequireAll>\n  Require not ip 10.9\n  <RequireAny>\n    Require ip 10\n    Require ip 11\n  </RequireAny>\n</RequireAll>\n',
    ),
  )
  t.equal(
    await inner(`AuthMerging Off\n${host}`),
    folder('b', '<RequireAll>\n  Require all granted\n  Require not ip 10.9\n</RequireAll>\n'),
  )
})

t.test('AuthMerging without old rules stays', async (t) => {
  const { files } = await migrated(t, {
    config: folder('', 'Require ip 10\n') + folder('b', 'AuthMerging And\nRequire ip 10.1\n'),
  })
  t.strictSame(files, {})
})

t.test('lines continued with a backslash are replaced whole', async (t) => {
  const { files } = await migrated(t, {
    config: folder('', 'Order deny,allow\nDeny from \\\n  all\nAllow from 10 \\\n  11\nOptions None\n'),
  })
  t.strictSame(files, { 'httpd.conf': folder('', 'Require ip 10 11\nOptions None\n') })
})

t.test('the halves for servers with and without mod_access_compat stay two', async (t) => {
  const both = (lines: string): string =>
    folder(
      '',
      `<IfModule mod_access_compat.c>\n${lines}</IfModule>\n<IfModule !mod_access_compat.c>\nRequire all denied\n</IfModule>\n`,
    )
  const { files } = await migrated(t, { config: both(CLOSED) })
  t.strictSame(files, { 'httpd.conf': both('Require all denied\n') })
})

t.test('rules partly in a guard that every 2.4 passes become one block', async (t) => {
  const { files } = await migrated(t, {
    config: folder('', 'Order deny,allow\n<IfModule mod_authz_core.c>\nDeny from all\n</IfModule>\nAllow from 10\n'),
  })
  t.strictSame(files, { 'httpd.conf': folder('', 'Require ip 10\n') })
})
