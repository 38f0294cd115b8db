import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ApxsFailure } from './failure.ts'
import type { Installation } from './installation.ts'

/** The compiler of modules. It includes TypeScript and esbuild, which programs load only to compile. */
export type Toolchain = typeof import('@gatewright/module-kit')

/** The sources to check, and the packages to check them against. */
export type CheckOptions = import('@gatewright/module-kit').CheckOptions

export async function loadToolchain({ build }: Installation): Promise<Toolchain> {
  const file = join(toolchainFolder(build), 'module-kit.mjs')
  if (!existsSync(file)) {
    throw new ApxsFailure(`${file} does not exist`, 'the tools that compile modules are not installed: run build/install again')
  }
  const loaded: Toolchain = await import(pathToFileURL(file).href)
  return loaded
}

/** Folder of the tools, below installbuilddir. */
export function toolchainFolder(build: string): string {
  return join(build, 'toolchain')
}

/** The installed guide for upgrading from 2.2, for authors. */
export function upgradeGuide(build: string): string {
  return join(toolchainFolder(build), 'UPGRADING.md')
}
