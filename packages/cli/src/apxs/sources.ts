import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ApxsFailure } from './failure.ts'

/** Where the source of a module package begins, as `apxs -g` makes it. */
const ENTRY = 'src/index.ts'

/** The sources that a command line means: its files; the one a folder's source begins with; without any word, that of the package one stands in. */
export function sourcesOf(words: readonly string[]): readonly string[] {
  if (words.length === 0) return isPackage('.') ? [ENTRY] : []
  return words.map((word) => (isPackage(word) ? join(word, ENTRY) : word))
}

function isPackage(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && existsSync(join(folder, 'package.json')) && existsSync(join(folder, ENTRY))
}

export function refuseOtherLanguages(files: readonly string[]): void {
  const other = files.find((file) => !/\.[cm]?[jt]s$/.test(file))
  if (other === undefined) return
  const hint = /\.(?:c|h|cc|cpp|l?o|l?a|so)$/.test(other)
    ? 'modules of this server are written in TypeScript or JavaScript: apxs -g -n NAME creates one, and UPGRADING.md explains how to port a C module'
    : 'name the source files of a module, .ts or .js, or the folder of its package'
  throw new ApxsFailure(`${other} is not a source file of a module`, hint)
}

/** The package that a source belongs to, if its package.json says that it is a module's. */
export function packageFolderOf(file: string): string | undefined {
  const manifest = findPackageJSON(pathToFileURL(resolve(file)))
  if (manifest === undefined) return undefined
  try {
    const { peerDependencies }: { peerDependencies?: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'))
    return peerDependencies?.['@gatewright/api'] === undefined ? undefined : dirname(manifest)
  } catch {
    return undefined
  }
}
