import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Where a LoadModule path leads. */
export type ModuleFile =
  | { readonly kind: 'ours'; readonly file: string }
  /** The path names nothing that can be loaded; `foreign` when a file made for another server lies there. */
  | { readonly kind: 'none'; readonly lookedFor: readonly string[]; readonly foreign: boolean }

/**
 * Finds the file that a LoadModule line means. A path that ends in `.so`, as configurations of httpd have
 * them, stands for a module of this server: the `.mjs` file beside it, or else the one of the same base name
 * among the installation's own modules. Any other path is taken as it is.
 * @param resolved the path of the line, absolute
 * @param modulesFolder where the installation's own modules lie, undefined for nowhere
 */
export function findModuleFile(resolved: string, modulesFolder: string | undefined): ModuleFile {
  if (!resolved.endsWith('.so')) return { kind: 'ours', file: resolved }
  const beside = `${resolved.slice(0, -'.so'.length)}.mjs`
  const lookedFor = modulesFolder === undefined ? [beside] : [beside, join(modulesFolder, basename(beside))]
  const file = lookedFor.find((path) => existsSync(path))
  return file === undefined
    ? { kind: 'none', lookedFor: [...new Set(lookedFor)], foreign: existsSync(resolved) }
    : { kind: 'ours', file }
}
