import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Random } from './fixtures/random.ts'
import { ConfigGenerator, placed } from './oracle-migrate/config-generator.ts'
import { type MigratedCase, migratedCase } from './oracle-migrate/migrated-case.ts'

const CASES = 16

t.test('random configurations of 2.2 are decided alike before and after, and many lose all old lines', async (t) => {
  const root = t.testdir({ old: {}, logs: {}, users: 'bob:x\nalice:x\n', groups: 'staff: alice\n' })
  let whole = 0
  let classes = 0
  for (let index = 0; index < CASES; index++) {
    const { migration, proof } = await made(root, index, 'exact')
    t.equal(proof.difference, null, `case ${index}`)
    if (migration.left.length === 0) whole++
    classes += proof.classes
  }
  t.ok(whole >= CASES / 3, `${whole} without an old line left`)
  t.ok(classes > 1000, `${classes} classes`)
})

t.test('a change of the migrated text is found out', async (t) => {
  const root = t.testdir({ old: {}, logs: {}, users: 'bob:x\n', groups: '' })
  const sections = `<Directory "${root}/old/p">\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Directory>\n`
  const config = { sections, included: {}, accessFiles: {} }
  const options = { root, intent: 'exact', guards: 'kept', limit: 200, claims: 1 } as const
  t.match(await migratedCase(config, options), { proof: { difference: null } })
  const wrong = await migratedCase(config, { ...options, spoil: (text) => text.replace('ip 10.1', 'ip 10') })
  t.match(wrong, { proof: { difference: { before: { status: 403 }, after: { status: 404 } } } })
})

async function made(root: string, index: number, intent: 'exact' | 'documented'): Promise<MigratedCase> {
  const config = new ConfigGenerator(new Random(4000 + index)).config(`p${index}`)
  mkdirSync(join(root, 'old'), { recursive: true })
  writeFileSync(join(root, 'groups'), 'staff: alice\n')
  const guards = index % 3 === 0 ? 'collapsed' : 'kept'
  const result = await migratedCase(placed(config, root), { root, intent, guards, limit: 300, claims: 1 })
  if (typeof result === 'string') throw new Error(result)
  return result
}
