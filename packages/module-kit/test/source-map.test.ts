import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildModule, readModuleFile } from '@gatewright/module-kit'
import t, { type Test } from 'tap'

// The runner has Node translate all positions itself, which a server does not.
process.setSourceMapsEnabled(false)

const SOURCE = `import { defineModule } from '@gatewright/api'
import { fail } from './deeper.ts'

export { fail }
export default defineModule({ name: 'deep_module', source: 'mod_deep.c', register: () => undefined })
`
const DEEPER = `export function fail(): never {
  throw new Error('from the second line')
}
`

async function build(t: Test, sourceMap: boolean): Promise<string> {
  const folder = t.testdir({ 'package.json': '{ "type": "module" }', src: { 'index.ts': SOURCE, 'deeper.ts': DEEPER } })
  const outFile = join(folder, 'mod_deep.mjs')
  await buildModule({ entry: join(folder, 'src/index.ts'), outFile, sourceMap })
  return outFile
}

function mapOf(file: string): { readonly sources: readonly string[]; readonly sourcesContent: readonly (string | null)[] } {
  const [, encoded] = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)\n$/m.exec(readFileSync(file, 'latin1')) ?? []
  return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
}

t.test('a source map leads from the lines of the stamped file to those of the sources', async (t) => {
  const file = await build(t, true)
  t.ok(readModuleFile(file).intact, 'the stamp covers the map')
  const loaded: { fail(): never } = await import(pathToFileURL(file).href)
  const thrown = t.throws(() => loaded.fail())
  const [, line, column] = /mod_deep\.mjs:(\d+):(\d+)/.exec(thrown instanceof Error ? (thrown.stack ?? '') : '') ?? []
  const entry = new SourceMap(JSON.parse(JSON.stringify(mapOf(file)))).findEntry(Number(line) - 1, Number(column) - 1)
  t.match(entry, { originalSource: 'src/deeper.ts', originalLine: 1 })
})

t.test('a source map names no folder of its author and includes only the sources of the module', async (t) => {
  const file = await build(t, true)
  const { sources, sourcesContent } = mapOf(file)
  t.notOk(sources.some((source) => source.includes(import.meta.dirname)))
  t.equal(sourcesContent[sources.indexOf('src/deeper.ts')], DEEPER)
  t.ok(sources.length > 2, 'the API is in the file')
  sources.forEach((source, index) => {
    if (!source.startsWith('src/')) t.equal(sourcesContent[index], null, source)
  })
})

t.test('without a wish for it, a module has no source map', async (t) => {
  t.notMatch(readFileSync(await build(t, false), 'latin1'), /sourceMappingURL/)
})
