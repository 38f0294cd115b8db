import { join } from 'node:path'
import t from 'tap'
import { migrateTree, prove } from '../../src/index.ts'
import { AUTH, MigrateSite, newText } from '../support/migrate-site.ts'

const ALLOWED = '<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\n'
const BAN = '<Files ".ht*">\nRequire all denied\n</Files>\n'

t.test('a section in the new dialect is never opened, and keeps the directive that would open it', async (t) => {
  const site = new MigrateSite(t, `${ALLOWED}${BAN}`, { '': 'Satisfy any\n' })
  const migration = await site.migrate()
  t.strictSame(migration.files, [])
  t.match(migration.opened, [
    { line: 5, text: /^this opens what .*Satisfy Any of \S+\/docs\/\.htaccess:1 .*"Require all granted"/ },
  ])
  t.match(
    migration.left.map(({ file }) => file),
    [/httpd\.conf$/, /\.htaccess$/],
  )
  t.equal((await site.prove(migration)).difference, null)
})

t.test('a later folder in the new dialect is not opened by Satisfy Any either, whichever hosts come with it', async (t) => {
  for (const require of [
    'Require all denied',
    'Require ip 10',
    '<RequireAll>\nRequire not env flag\nRequire all granted\n</RequireAll>',
    'Require valid-user',
  ]) {
    const old = `<Directory "@ROOT@/docs">\n${AUTH}Order allow,deny\nAllow from all\nSatisfy any\n</Directory>\n`
    const site = new MigrateSite(t, `${old}<Directory "@ROOT@/docs/a">\n${require}\n</Directory>\n`)
    const migration = await site.migrate()
    t.strictSame(migration.files, [], require)
    t.equal(migration.opened.length, 1, require)
  }
})

t.test(
  'Require lines that 2.2 had become an alternative of the hosts around them, and lines that become stricter are written',
  async (t) => {
    const old = (hosts: string): string => `<Directory "@ROOT@/docs">\n${AUTH}Require valid-user\n${hosts}</Directory>\n`
    const inner = (require: string): string => `<Directory "@ROOT@/docs/a">\n${require}\n</Directory>\n`
    const hosts = 'Order deny,allow\nDeny from all\nAllow from 10\n'
    const any = await new MigrateSite(t, `${old(`${hosts}Satisfy any\n`)}${inner('Require user bob')}`).migrate()
    t.strictSame(any.left, [])
    t.match(newText(any), 'Require ip 10\nRequire user bob\n')
    t.strictSame(any.opened, [])
    const all = await new MigrateSite(t, `${old(hosts)}${inner('Require all granted')}`).migrate()
    t.match(newText(all), /docs\/a">\nRequire ip 10\n/)
    t.strictSame(all.opened, [])
  },
)

t.test('Satisfy Any with nothing about hosts is documented to leave Require alone', async (t) => {
  const site = new MigrateSite(t, `<Directory "@ROOT@/docs">\n${AUTH}Require user bob\nSatisfy Any\n</Directory>\n`)
  t.match(newText(await site.migrate('documented')), /\nRequire user bob\n<\/Directory>\n$/)
  t.match(newText(await site.migrate('exact')), /\nRequire all granted\n<\/Directory>\n$/)
})

t.test('access that the surrounding server denies stays denied, and is distinguished from other differences', async (t) => {
  const config = `${ALLOWED}${BAN}`
  const migrated = async (text: string) => {
    const site = new MigrateSite(t, config, { '': text })
    const made = await migrateTree({
      serverTexts: new Map([[site.configFile, site.configText]]),
      accessTexts: new Map([[join(site.root, 'docs/.htaccess'), text]]),
      apart: [],
      intent: 'exact',
      open: (variant) => site.open(variant),
    })
    const { before, after, chains } = made
    const foreign = new Set([site.configFile])
    return { made, proof: await prove({ before, after, chains, limit: 1000, foreign, open: (variant) => site.open(variant) }) }
  }
  const { made, proof } = await migrated('Satisfy any\n')
  t.equal(newText(made), 'Require all granted\n')
  t.equal(proof.difference, null)
  t.match(proof.closed, { question: { target: /\.ht/ }, before: { status: /^(?:200|404)$/ }, after: { status: 403 } })
  t.equal((await migrated('Order allow,deny\nAllow from all\n')).proof.closed, null)
})
