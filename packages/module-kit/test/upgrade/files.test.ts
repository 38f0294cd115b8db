import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckOptions, pointDiagnostics, SourceChecker, upgradeReport, upgradeSources } from '@gatewright/module-kit'
import t, { type Test } from 'tap'

const CHECKER = new SourceChecker()
const ROOT = join(import.meta.dirname, '../../../..')

const against24 = (file: string): CheckOptions => ({
  files: [file],
  packages: { '@gatewright/api': join(ROOT, 'packages/api/src/index.ts') },
  typeRoots: [join(ROOT, 'node_modules/@types')],
})

/** A folder outside of this project, from which none of our packages can be resolved. */
function folderWith(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-upgrade-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const INDEX = `import { DECLINED, defineModule, type Module } from "@gatewright/api-2.2"
export type { Request } from '@gatewright/api-2.2'
import { addressOf } from './address.ts'

// in four columns, and with a tab
const sample: Module = defineModule({
\tname: 'sample_module', source: 'mod_sample.c',
    register({ hooks }) {
        hooks.handler.add((request)  =>  request.send('text/plain', addressOf(request)), null, null, 'first')
    },
})
export default sample
`
const ADDRESS = `import type { Request } from '@gatewright/api-2.2'

export const addressOf = (request: Request): string =>
  request
    .connection.remoteIp + request.defaultType()
`

t.test('the files of a module are rewritten together, imports of the former package included', async (t) => {
  const folder = folderWith(t, { 'index.ts': INDEX, 'address.ts': ADDRESS })
  const entry = join(folder, 'index.ts')
  const before = pointDiagnostics(CHECKER.check(against24(entry)))
  t.ok(before.length >= 3)
  for (const { pointer, message } of before) t.equal(pointer, 'UPGRADING.md#api-package', message)

  const result = upgradeSources(against24(entry), CHECKER)
  t.equal(
    readFileSync(entry, 'utf8'),
    INDEX.replaceAll('@gatewright/api-2.2', '@gatewright/api').replace("null, null, 'first'", "{ rank: 'first' }"),
  )
  t.equal(
    readFileSync(join(folder, 'address.ts'), 'utf8'),
    ADDRESS.replace('api-2.2', 'api').replace('connection.remoteIp', 'useragentAddress'),
  )
  t.equal(readFileSync(`${entry}.orig`, 'utf8'), INDEX)
  t.equal(readFileSync(join(folder, 'address.ts.orig'), 'utf8'), ADDRESS)
  const report = upgradeReport(result, folder)
  t.match(report, '--- index.ts.orig\n+++ index.ts\n@@ -1,2 +1,2 @@\n')
  t.match(report, /left to do by hand:\naddress\.ts:5:\d+: error TS2339: .*\n.*\n.*\nhint: .*UPGRADING\.md#api-default-type$/)

  t.match(upgradeSources(against24(entry), CHECKER).files, [], 'a second run finds nothing to do')
  t.equal(readFileSync(`${entry}.orig`, 'utf8'), INDEX, 'and the first text stays')
})

t.test('a mistake that has nothing to do with the line has no pointer and is left alone', async (t) => {
  const text = "import { OK } from '@gatewright/api'\nconst x: string = OK\nexport const f = (a) => [1].add(a, null, x)\n"
  const folder = folderWith(t, { 'index.ts': text })
  const entry = join(folder, 'index.ts')
  const { files, remaining } = upgradeSources(against24(entry), CHECKER)
  t.strictSame(files, [])
  t.strictSame(
    remaining.map(({ line, code, pointer }) => [line, code, pointer]),
    [
      [2, 2322, null],
      [3, 7006, null],
      [3, 2339, null],
    ],
  )
  t.notOk(existsSync(`${entry}.orig`))
  t.match(upgradeReport({ files, remaining }, folder), /^nothing to rewrite\nleft to do by hand:\nindex\.ts:2:7: error TS2322: /)
})
