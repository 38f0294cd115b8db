import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { API_VERSION } from '@gatewright/api'
import { apiLineOf, buildModule, readModuleFile, stampModule } from '@gatewright/module-kit'
import t from 'tap'

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures')

t.test('a module of the present line is stamped with its names and the version of the API it bundles', async (t) => {
  const outFile = join(t.testdir(), 'mod_probe.mjs')
  const identity = await buildModule({ entry: join(FIXTURES, 'mod_probe/src/index.ts'), outFile })
  t.equal(identity.module, 'probe_module')
  const { stamp, intact } = readModuleFile(outFile)
  t.match(stamp, { cookie: 'AP24', api: API_VERSION, magic: 20120211, module: 'probe_module', source: 'mod_probe.c' })
  t.ok(intact)
})

t.test('a module of the 2.2 line is stamped AP22 because it imports that API, without a setting', async (t) => {
  const outFile = join(t.testdir(), 'mod_old.mjs')
  await buildModule({ entry: join(FIXTURES, 'mod_old/src/index.ts'), outFile })
  t.match(readModuleFile(outFile).stamp, {
    cookie: 'AP22',
    api: '2.2.43',
    magic: 20051115,
    module: 'old_module',
    source: 'mod_old.c',
  })
})

t.test('building and reading a module runs none of its code; the built file imports nothing but what is inside it', async (t) => {
  const outFile = join(t.testdir(), 'mod_probe.mjs')
  await buildModule({ entry: join(FIXTURES, 'mod_probe/src/index.ts'), outFile })
  readModuleFile(outFile)
  t.equal(process.env.GATEWRIGHT_PROBE_RAN, undefined)
  t.notMatch(readFileSync(outFile, 'utf8'), /^import .* from ['"]@gatewright/m)
  const script = `import probe from ${JSON.stringify(pathToFileURL(outFile).href)}; console.log(probe.name, process.env.GATEWRIGHT_PROBE_RAN)`
  t.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }), 'probe_module yes\n')
})

t.test('a byte more, a byte less or a missing first line is seen', async (t) => {
  const folder = t.testdir()
  const outFile = join(folder, 'mod_probe.mjs')
  await buildModule({ entry: join(FIXTURES, 'mod_probe/src/index.ts'), outFile })
  const good = readFileSync(outFile)
  appendFileSync(outFile, ' ')
  t.notOk(readModuleFile(outFile).intact)
  writeFileSync(outFile, good.subarray(0, -1))
  t.notOk(readModuleFile(outFile).intact)
  writeFileSync(outFile, good.subarray(good.indexOf('\n') + 1))
  t.strictSame(readModuleFile(outFile), { path: outFile, stamp: undefined, intact: false })
  writeFileSync(outFile, '')
  t.strictSame(readModuleFile(outFile), { path: outFile, stamp: undefined, intact: false })
})

t.test('stamping again replaces the stamp and nothing else', (t) => {
  const file = join(t.testdir({ 'mod_a.mjs': 'export default 1\n' }), 'mod_a.mjs')
  const names = { module: 'a_module', source: 'mod_a.c' }
  stampModule(file, names, { cookie: 'AP24', api: '2.4.0', magic: 20120211 })
  stampModule(file, names, { cookie: 'AP24', api: '2.4.7', magic: 20120211 })
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n')
  t.match(first, '"api":"2.4.7"')
  t.strictSame(rest, ['export default 1', ''])
  t.ok(readModuleFile(file).intact)
  t.end()
})

t.test('a module whose source name differs from its file name is refused', async (t) => {
  const outFile = join(t.testdir(), 'mod_renamed.mjs')
  await t.rejects(buildModule({ entry: join(FIXTURES, 'mod_probe/src/index.ts'), outFile }), {
    message: /source is 'mod_probe\.c', but a module in mod_renamed must have 'mod_renamed\.c'/,
  })
})

t.test('a bundled CommonJS package may require what Node brings', async (t) => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'node_modules/platform-name'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/platform-name/package.json'), '{ "name": "platform-name", "version": "1.0.0" }')
  writeFileSync(join(folder, 'node_modules/platform-name/index.js'), "module.exports = require('os').platform()")
  writeFileSync(
    join(folder, 'index.ts'),
    `import { defineModule } from ${JSON.stringify(join(FIXTURES, '../../packages/api/src/index.ts'))}
     import platform from 'platform-name'
     export const where: string = platform
     export default defineModule({ name: 'where_module', source: 'mod_where.c' })`,
  )
  const outFile = join(folder, 'mod_where.mjs')
  await buildModule({ entry: join(folder, 'index.ts'), outFile })
  t.ok(readModuleFile(outFile).intact)
  const script = `import { where } from ${JSON.stringify(pathToFileURL(outFile).href)}; console.log(where)`
  t.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }), `${process.platform}\n`)
})

t.test('a package without the constants of an API is named', async (t) => {
  await t.rejects(apiLineOf('node:os', FIXTURES))
  await t.rejects(apiLineOf('@gatewright/nothing', FIXTURES), { message: /@gatewright\/nothing/ })
})

t.test('a build that fails leaves the former file, and nothing else', async (t) => {
  const folder = t.testdir({ 'mod_other.mjs': 'former' })
  const build = buildModule({ entry: join(FIXTURES, 'mod_probe/src/index.ts'), outFile: join(folder, 'mod_other.mjs') })
  await t.rejects(build, { message: /must have 'mod_other\.c'/ })
  t.strictSame(readdirSync(folder), ['mod_other.mjs'])
  t.equal(readFileSync(join(folder, 'mod_other.mjs'), 'utf8'), 'former')
})
