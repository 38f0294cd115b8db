import t from 'tap'
import { AUTH, MigrateSite } from '../support/migrate-site.ts'

const PAIR = `<Directory "@ROOT@/docs">\n${AUTH}Order allow,deny\nDeny from all\nSatisfy ALL\nAllow from 192.0.2.1\nRequire valid-user\n</Directory>\n`

t.test('what is read as httpd acts proves equal', async (t) => {
  for (const config of [PAIR, PAIR.replace('ALL', 'any')]) {
    const site = new MigrateSite(t, config)
    const proof = await site.prove(await site.migrate())
    t.equal(proof.difference, null)
    t.strictSame(proof.sampled, [])
    t.ok(proof.classes > 8)
  }
})

t.test("the guide's fifth and sixth pair are not equal, with the least request that shows it", async (t) => {
  const both = new MigrateSite(t, PAIR)
  t.match(await both.prove(await both.migrate('documented')), {
    difference: {
      question: { method: 'GET', client: '192.0.2.1', credentials: null },
      before: { status: 403 },
      after: { status: 401 },
    },
  })
  const either = new MigrateSite(t, PAIR.replace('ALL', 'any'))
  t.match(await either.prove(await either.migrate('documented')), {
    difference: { question: { client: '192.0.2.1', credentials: null }, before: { status: 401 }, after: { status: 404 } },
  })
})

t.test('names, networks, variables, methods and users are distinguished', async (t) => {
  const site = new MigrateSite(
    t,
    `<Directory "@ROOT@/docs">
${AUTH}Order allow,deny
Allow from example.org 10.0.0.0/8 env=in
Deny from bad.example.org 10.1 env=!ok
Satisfy Any
<Limit POST PUT>
Require user bob
</Limit>
</Directory>
`,
  )
  const migration = await site.migrate()
  t.strictSame(migration.left, [])
  const proof = await site.prove(migration)
  t.equal(proof.difference, null)
  t.ok(proof.classes > 500, `${proof.classes} classes`)
})
