// npm run oracle:founding-table [-- --oracle apache2]: the guide's table from 2.2 to 2.4, row by row: the result of
// gatewright migrate for each row, its proof, and, with --oracle, the answers of Apache httpd.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatewright } from '../fixtures/gatewright.ts'

const { values: options } = parseArgs({ options: { oracle: { type: 'string' } } })
const root = mkdtempSync(join(tmpdir(), 'founding-table-'))
const users = join(root, 'users')
const AUTH = ['AuthType Basic', 'AuthName "Realm"', 'AuthBasicProvider file', `AuthUserFile ${users}`]

/** `differs`: the guide's reading is not what httpd does. */
const ROWS: readonly { readonly name: string; readonly old: readonly string[]; readonly differs?: true }[] = [
  { name: 'all denied', old: ['Order deny,allow', 'Deny from all'] },
  { name: 'all granted', old: ['Order allow,deny', 'Allow from all'] },
  { name: 'a domain', old: ['Order Deny,Allow', 'Deny from all', 'Allow from example.org'] },
  { name: 'host control merely switched off', old: [...AUTH, 'Order Deny,Allow', 'Allow from all', 'Require valid-user'] },
  {
    name: 'both criteria needed',
    old: [...AUTH, 'Order allow,deny', 'Deny from all', 'Satisfy ALL', 'Allow from 192.0.2.7', 'Require valid-user'],
    differs: true,
  },
  {
    name: 'either criterion suffices',
    old: [...AUTH, 'Order allow,deny', 'Deny from all', 'Satisfy any', 'Allow from 192.0.2.7', 'Require valid-user'],
    differs: true,
  },
  {
    name: 'removed directives',
    old: [...AUTH, 'AuthzUserAuthoritative Off', 'AuthzGroupFileAuthoritative Off', 'Require user bob'],
  },
  { name: 'groups of a DBM file', old: [...AUTH, `AuthDBMGroupFile ${root}/none`, 'Require group staff'] },
]

try {
  writeFileSync(users, 'bob:{SHA}KXV5lfOmXj1HOy0eE1tRGdIyUHw=\n')
  let failed = 0
  for (const [index, { name, old, differs }] of ROWS.entries())
    for (const intent of differs === true ? ['documented', 'exact'] : ['exact']) {
      const status = await migrateRow(`${index + 1} ${name}`, old, intent)
      if (status !== (differs === true && intent === 'documented' ? 1 : 0)) failed++
    }
  console.log(`${ROWS.length} rows, ${failed} not as expected`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function migrateRow(title: string, old: readonly string[], intent: string): Promise<number | null> {
  const site = join(root, title.replaceAll(' ', '-') + intent)
  const file = join(site, '.htaccess')
  mkdirSync(site)
  writeFileSync(file, `${old.join('\n')}\n`)
  const oracle = options.oracle === undefined ? [] : ['--oracle', options.oracle, '--oracle-all']
  const { status, stdout, stderr } = await gatewright(['migrate', '--in-place', '--intent', intent, ...oracle, site])
  const indented = (text: string): string => text.trimEnd().replaceAll(root, '').replace(/^/gm, '    ')
  console.log(
    [
      `Row ${title}, --intent ${intent}`,
      '  2.2:',
      indented(old.join('\n')),
      '  2.4:',
      indented(readFileSync(file, 'latin1')),
      '  proof:',
      indented(stdout + stderr),
      '',
    ].join('\n'),
  )
  return status
}
