import { dirname, join, relative, resolve, sep } from 'node:path'
import type { OutputFile } from 'esbuild'
import { packageFolder } from './package-folder.ts'
import { linesBefore } from './stamp.ts'

/** A source map of esbuild, version 3. */
interface RawSourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly (string | null)[]
  readonly mappings: string
}

/** What debuggers see before the names of sources; the launch.json of a new module leads them from here to its folder. */
const SOURCE_ROOT = 'module:///'

/** Where a source of another package begins: its name follows. */
const PACKAGES = `${sep}node_modules${sep}`

/**
 * The code of a bundle with its source map at its end. The map counts the lines that the stamp adds before the code. Its
 * sources are named as the author knows them, relative to the folder of the package, so that no path of the author's machine
 * is in the file; only the module's own sources are included as text.
 * @param outputs what esbuild returned: code and map
 * @param outFile the absolute path of the bundle, to which the map's paths are relative
 * @param entry the absolute path of the module's main source
 */
export function withSourceMap(outputs: readonly OutputFile[], outFile: string, entry: string): Buffer {
  const code = outputs.find(({ path }) => path === outFile)
  const map = outputs.find(({ path }) => path === `${outFile}.map`)
  if (code === undefined || map === undefined) throw new Error(`esbuild has made no source map of ${outFile}`)
  const content = Buffer.from(code.contents)
  const raw: RawSourceMap = JSON.parse(map.text)
  const root = packageFolder(entry)
  const sources = raw.sources.map((source) => resolve(dirname(outFile), source))
  const text = JSON.stringify({
    version: 3,
    sourceRoot: SOURCE_ROOT,
    sources: sources.map((source) => nameOf(source, root)),
    sourcesContent: sources.map((source, index) => (isOwn(source, root) ? raw.sourcesContent[index] : null)),
    names: [],
    mappings: ';'.repeat(linesBefore(content)) + raw.mappings,
  })
  const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n`
  return Buffer.concat([content, Buffer.from(comment)])
}

function isOwn(source: string, root: string): boolean {
  return source.startsWith(join(root, sep)) && !source.includes(PACKAGES)
}

/** `src/index.ts` for a source of the module, `jose/dist/verify.js` for one of a package, and only the file's name for others. */
function nameOf(source: string, root: string): string {
  if (isOwn(source, root)) return relative(root, source)
  const begin = source.lastIndexOf(PACKAGES)
  return begin < 0 ? source.slice(source.lastIndexOf(sep) + 1) : source.slice(begin + PACKAGES.length)
}
