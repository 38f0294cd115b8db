import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { RULES } from '../../src/index.ts'

const PACKAGE = join(import.meta.dirname, '../..')
const pageOf = (id: string): string => readFileSync(join(PACKAGE, `rules/${id}.md`), 'utf8')

t.test('every rule has a page with its findings, their certainty, the reason and the solution', async (t) => {
  t.strictSame(
    readdirSync(join(PACKAGE, 'rules')).sort(),
    RULES.map(({ id }) => `${id}.md`),
    'no page without a rule, ids in order, each once',
  )
  for (const { id, about, severity, isConfirmed } of RULES) {
    const page = pageOf(id)
    t.ok(page.startsWith(`# ${id}: ${about}\n\nSeverity: ${severity}. `), id)
    t.equal(page.includes('Confirmed: '), isConfirmed, id)
    t.match(page, /## Wrong\n\n```apache\n[^`]+```\n\n## Why\n\n[^#]+\n## Fix\n\n/, id)
  }
})

t.test('the table of the README names every rule with its severity', async (t) => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| \[(GW\d+)\]\(rules\/\1\.md\) +\| (\w+) +\| (.+?) +\|$/gm)]
  t.strictSame(
    rows.map(([, id, severity, about]) => [id, severity, about.replaceAll('`', '')]),
    RULES.map(({ id, severity, about }) => [id, severity, about]),
  )
})
