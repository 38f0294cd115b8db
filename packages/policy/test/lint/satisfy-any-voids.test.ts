import t from 'tap'
import { findingsOf } from '../support/lint-site.ts'

t.test('a Deny beside Satisfy Any is found where Require grants to everybody', async (t) => {
  const config = `<Directory "@DOCS@">
  AllowOverride All
  Require all granted
</Directory>`
  const findings = await findingsOf(t, {
    config,
    docs: { 'shut/.htaccess': 'Order deny,allow\nDeny from all\nSatisfy any\n', 'shut/a b.txt': 'x' },
  })
  t.match(findings, [
    {
      rule: 'GW001',
      severity: 'error',
      file: 'shut/.htaccess',
      line: 2,
      message: /^Deny from all keeps nobody out/,
      hint: /Satisfy All.*GW001\.md/,
      request: { status: 200, access: 'granted', curl: 'curl -i http://localhost/shut/a%20b.txt' },
    },
  ])
})

t.test("a Require below a parent's Satisfy Any is found", async (t) => {
  const config = `<Directory "@DOCS@">
  AllowOverride All
  Order allow,deny
  Allow from all
  Satisfy any
</Directory>`
  const findings = await findingsOf(t, { config, docs: { 'shut/.htaccess': 'Require all denied\n' } })
  t.match(findings, [{ rule: 'GW001', file: 'shut/.htaccess', line: 1, message: /Require is never asked.*from <Directory/ }])
})

t.test(
  'Satisfy Any that lifts the Require of an outer folder, or lets a network in without a password, is left alone',
  async (t) => {
    const config = `<Directory "@DOCS@">
  AllowOverride All
  AuthType Basic
  AuthName x
  Require valid-user
</Directory>`
    const free = 'Order allow,deny\nAllow from all\nSatisfy any\n'
    const network = 'Order deny,allow\nDeny from all\nAllow from 10\nSatisfy any\nRequire valid-user\n'
    t.strictSame(await findingsOf(t, { config, docs: { 'free/.htaccess': free, 'near/.htaccess': network } }), [])
  },
)

t.test('a comment above the line silences a rule, and no other', async (t) => {
  const config = '<Directory "@DOCS@">\nAllowOverride All\nRequire all granted\n</Directory>'
  const shut = (comment: string): string => `Order deny,allow\n${comment}\nDeny from all\nSatisfy any\n`
  const silenced = { 'shut/.htaccess': shut('# gatewright-ignore GW002, GW001 it is a joke') }
  t.strictSame(await findingsOf(t, { config, docs: silenced }), [])
  t.match(await findingsOf(t, { config, docs: { 'shut/.htaccess': shut('# gatewright-ignore GW002') } }), [{ rule: 'GW001' }])
})
