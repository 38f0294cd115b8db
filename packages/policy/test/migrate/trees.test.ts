import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Intent, migrateTree, prove, type TreeMigration } from '../../src/index.ts'
import { MigrateSite } from '../support/migrate-site.ts'

const OPEN = '<Directory "@ROOT@/docs">\n  AllowOverride All\n</Directory>\n'
const SHUT = 'Order deny,allow\nDeny from all\n'

interface MigratedTree {
  readonly site: MigrateSite
  readonly migration: TreeMigration
  /** New texts by folder. */
  readonly files: readonly (readonly [folder: string, text: string])[]
}

async function migrated(t: Test, accessFiles: Readonly<Record<string, string>>, intent: Intent = 'exact'): Promise<MigratedTree> {
  const site = new MigrateSite(t, OPEN, accessFiles)
  const docs = join(site.root, 'docs')
  const migration = await migrateTree({
    serverTexts: new Map([[site.configFile, OPEN.replaceAll('@ROOT@', site.root)]]),
    accessTexts: new Map(Object.entries(accessFiles).map(([folder, text]) => [join(docs, folder, '.htaccess'), text])),
    apart: [],
    intent,
    open: (variant) => site.open(variant),
  })
  const files = migration.files.map(
    ({ path, after }) => [path.slice(docs.length + 1).replace(/\/?\.htaccess$/, ''), after] as const,
  )
  return { site, migration, files: files.sort(([a], [b]) => (a < b ? -1 : 1)) }
}

t.test('every file of a kind is rewritten like its representative', async (t) => {
  const folders = Array.from({ length: 60 }, (_, number) => `f${String(number).padStart(2, '0')}`)
  const { migration, files } = await migrated(t, Object.fromEntries(folders.map((folder) => [folder, SHUT])))
  t.equal(migration.kinds, 1)
  t.strictSame(
    files,
    folders.map((folder) => [folder, 'Require all denied\n']),
  )
})

t.test('remaining rules of a kind are reported for all its files, and surrounding files are kept', async (t) => {
  const odd = 'Allow from "a b"\n'
  const { migration, files } = await migrated(t, {
    a: SHUT,
    'a/in': odd,
    b: SHUT,
    c: SHUT,
    'c/in': odd,
    'c/in/more': odd,
    d: 'Deny from 10\n',
  })
  t.strictSame(files, [['d', '<RequireAll>\n  Require all granted\n  Require not ip 10\n</RequireAll>\n']])
  const left = migration.left.map(({ file }) => file.replace(/^.*\/docs\//, '').replace('/.htaccess', ''))
  t.strictSame([...new Set(left)].sort(), ['a', 'a/in', 'b', 'c', 'c/in', 'c/in/more'])
  t.notMatch(migration.left.map(({ text }) => text).join('\n'), 'gatewright-alike')
})

t.test('a difference is reported with the URL of an existing folder', async (t) => {
  const doubtful = 'Order allow,deny\nDeny from all\nAllow from 192.0.2.1\n'
  const { site, migration } = await migrated(t, { a: SHUT, b: SHUT, 'b/in': doubtful }, 'documented')
  const { before, after, chains } = migration
  const proof = await prove({ before, after, chains, limit: 1000, open: (variant) => site.open(variant) })
  t.match(proof.difference?.question.target, /gatewright-alike/)
  const { difference } = migration.named(proof)
  t.match(difference?.question.target, /^\/b\/in\//)
  t.match(difference?.before.rules, [/\/docs\/a\//, new RegExp(`^${site.root}/docs/b/in/\\.htaccess:1$`)])
})
