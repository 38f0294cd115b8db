import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import t from 'tap'
import ldap from '../src/index.ts'

const MODULE = join(import.meta.dirname, '..')

t.test('every lint rule has a page, and a row in the manual page with its severity', async (t) => {
  const server = await site({ modules: [ldap] })
  t.teardown(() => server.close())
  const { lintRules } = server.configuration.providers
  const ids = [...lintRules.names()]
  t.strictSame(
    readdirSync(join(MODULE, 'rules')).sort(),
    ids.map((id) => `${id}.md`),
  )
  const readme = readFileSync(join(MODULE, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| \[(LDAP\d+)\]\(rules\/\1\.md\) +\| (\w+) +\| (.+?) +\|$/gm)]
  t.strictSame(
    rows.map(([, id, severity, about]) => [id, severity, about]),
    ids.map((id) => [id, lintRules.get(id)?.severity, lintRules.get(id)?.about]),
  )
  for (const id of ids) {
    const page = readFileSync(join(MODULE, `rules/${id}.md`), 'utf8')
    const { about = '', severity = '' } = lintRules.get(id) ?? {}
    t.ok(page.startsWith(`# ${id}: ${about}\n\nSeverity: ${severity}.`), id)
    t.match(page, /## Wrong\n\n```apache\n[^`]+```\n\n## Why\n\n[^#]+\n## Fix\n\n/, id)
  }
})
