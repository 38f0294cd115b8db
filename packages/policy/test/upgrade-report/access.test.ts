import t from 'tap'
import { reportOn, told } from '../support/report-site.ts'

const section = (lines: string): string =>
  `DocumentRoot "@ROOT@/docs"\n<Directory "@ROOT@/docs">\nAllowOverride All\n${lines}</Directory>\n`

t.test('each place of the old dialect is reported once, with all of its lines', async (t) => {
  const report = await reportOn(
    t,
    section('Order deny,allow\n# ours\nDeny from all\n<Limit GET>\nAllow from 10.0.0.0/8\n</Limit>\n'),
  )
  t.match(told(report, 'access'), [
    {
      place: { line: 4 },
      subject: /^<Directory ".*"> Order deny,allow; Deny from all; Allow from 10\.0\.0\.0\/8$/,
      by: 'migrate',
    },
  ])
  t.strictSame(report.compat, { now: true, afterMigration: false })
})

t.test('rules that migrate leaves are reported with the reason, and keep mod_access_compat', async (t) => {
  const report = await reportOn(t, section('Order deny,allow\n<IfModule core.c>\nDeny from all\n</IfModule>\n'))
  t.match(told(report, 'access'), [
    { text: /^remains in the old dialect: the rules are partly inside and partly outside a guard/, by: 'hand' },
  ])
  t.strictSame(report.compat, { now: true, afterMigration: true })
  t.notOk(report.steps.some(({ text }) => text.startsWith('Remove the LoadModule line')))
})

t.test('rules of .htaccess files are reported with their files', async (t) => {
  const files = { 'docs/a/.htaccess': '\nOrder allow,deny\nAllow from all\n', 'docs/index.html': '' }
  const report = await reportOn(t, section(''), { files })
  t.match(told(report, 'access'), [
    { place: { file: /docs\/a\/\.htaccess$/, line: 2 }, subject: 'Order allow,deny; Allow from all', by: 'migrate' },
  ])
})

t.test('without old rules nothing needs mod_access_compat', async (t) => {
  const report = await reportOn(t, section('Require all granted\n'))
  t.strictSame(told(report, 'access'), [])
  t.strictSame(report.compat, { now: false, afterMigration: false })
  t.match(report, { verdict: 'ready', steps: [], counts: { must: 0, look: 0 } })
})
