import { join } from 'node:path'
import type { ApxsConsole } from './console.ts'
import { CommandFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import { compiledAgainst, linkPackages } from './packages.ts'
import { packageFolderOf, refuseUnusable } from './sources.ts'
import { type CheckOptions, type Toolchain, toolchainFolder } from './toolchain.ts'

/** What to check and to bundle for a module: its sources, and the server's packages that they are compiled against. */
export function moduleSources(files: readonly string[], installation: Installation, console: ApxsConsole): CheckOptions {
  refuseUnusable(files)
  const packageFolder = packageFolderOf(files[0])
  if (packageFolder !== undefined) linkPackages(packageFolder, installation, console)
  return {
    files,
    packages: compiledAgainst(installation),
    typeRoots: [join(toolchainFolder(installation.build), 'node_modules/@types')],
  }
}

/** The source that defines the module, itself or through its imports, and the name of the module's file without extension. */
export function mainSource(kit: Toolchain, files: readonly string[]): { readonly entry: string; readonly name: string } {
  const reasons: string[] = []
  for (const entry of files) {
    try {
      return { entry, name: kit.readIdentity(entry).source.replace(/\.c$/, '') }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new CommandFailure(reasons, 'for an example, see the output of apxs -g -n NAME')
}
