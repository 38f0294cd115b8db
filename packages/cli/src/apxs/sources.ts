import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ApxsFailure } from './failure.ts'

/** The entry file of a module package, as `apxs -g` creates it. */
const ENTRY = 'src/index.ts'

/**
 * The sources that a command line refers to: its files; the entry file of a folder; without arguments, that
 * of the current package.
 */
export function sourcesOf(words: readonly string[]): readonly string[] {
  if (words.length === 0) return isPackage('.') ? [ENTRY] : []
  return words.map((word) => (isPackage(word) ? join(word, ENTRY) : word))
}

function isPackage(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && existsSync(join(folder, 'package.json')) && existsSync(join(folder, ENTRY))
}

/** @throws ApxsFailure for the first file that is missing or of another language */
export function refuseUnusable(files: readonly string[]): void {
  refuseOtherLanguages(files)
  const missing = files.find((file) => !existsSync(file))
  if (missing === undefined) return
  const hint = existsSync(ENTRY) ? `the source of the package in this folder is ${ENTRY}: apxs -c` : 'check the name'
  throw new ApxsFailure(`${missing}: No such file or directory`, hint)
}

function refuseOtherLanguages(files: readonly string[]): void {
  const other = files.find((file) => !/\.[cm]?[jt]s$/.test(file))
  if (other === undefined) return
  const hint = /\.(?:c|h|cc|cpp|l?o|l?a|so)$/.test(other)
    ? 'modules of this server are written in TypeScript or JavaScript: apxs -g -n NAME creates one, and UPGRADING.md explains how to port a C module'
    : 'name the source files of a module, .ts or .js, or the folder of its package'
  throw new ApxsFailure(`${other} is not a source file of a module`, hint)
}

/** The package of a source, if its package.json marks it as a module. */
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
