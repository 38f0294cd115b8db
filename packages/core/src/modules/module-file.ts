import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The file that a LoadModule path leads to. */
export type ModuleFile =
  | { readonly kind: 'ours'; readonly file: string }
  /** No loadable file; `foreign` if a file made for another server exists at the path. */
  | { readonly kind: 'none'; readonly lookedFor: readonly string[]; readonly foreign: boolean }

/** The module of PHP, which does not come with httpd, has a name of its own kind, such as `libphp8.2.so`. */
const PHP = /(?<=^|\/)libphp[\d.]*\.mjs$/

/**
 * Finds the file for a LoadModule line. A path that ends in `.so`, as in configurations of httpd, refers to a
 * module of this server: the `.mjs` file beside it, or else the one with the same base name among the
 * installation's own modules. Any other path is used unchanged.
 * @param resolved the path of the line, absolute
 * @param modulesFolder the folder of the installation's own modules, undefined if there is none
 */
export function findModuleFile(resolved: string, modulesFolder: string | undefined): ModuleFile {
  if (!resolved.endsWith('.so')) return { kind: 'ours', file: resolved }
  const beside = fileOfOurs(resolved)
  const lookedFor = modulesFolder === undefined ? [beside] : [beside, join(modulesFolder, basename(beside))]
  const file = lookedFor.find((path) => existsSync(path))
  return file === undefined
    ? { kind: 'none', lookedFor: [...new Set(lookedFor)], foreign: existsSync(resolved) }
    : { kind: 'ours', file }
}

/**
 * The installation's own file for a path of LoadModule, by its base name; null if there is none, because any other
 * file contains code of the author of the configuration.
 */
export function ownModuleFile(resolved: string, modulesFolder: string | undefined): string | null {
  if (modulesFolder === undefined) return null
  const file = join(modulesFolder, basename(resolved.endsWith('.so') ? fileOfOurs(resolved) : resolved))
  return existsSync(file) ? file : null
}

function fileOfOurs(path: string): string {
  return `${path.slice(0, -'.so'.length)}.mjs`.replace(PHP, 'mod_php.mjs')
}
