import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'

/** A module's own source files: `entry` and all files that it imports by relative path, the entry first. */
export function reachableFiles(entry: string): string[] {
  const files = [resolve(entry)]
  for (let at = 0; at < files.length; at++) {
    const { importedFiles } = ts.preProcessFile(readFileSync(files[at], 'utf8'))
    for (const { fileName } of importedFiles) {
      const file = importedFile(files[at], fileName)
      if (file !== undefined && !files.includes(file)) files.push(file)
    }
  }
  return files
}

/**
 * The file of a relative import: as written, without its extension, or with the extension of the compiled
 * file; undefined for a package.
 */
export function importedFile(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = resolve(dirname(importer), specifier)
  return [path, `${path}.ts`, path.replace(/\.m?js$/, '.ts')].find(
    (candidate) => /\.m?[jt]s$/.test(candidate) && existsSync(candidate),
  )
}
