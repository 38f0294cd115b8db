import { existsSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { BuildOptions } from 'esbuild'

/**
 * The settings that all module bundles share: one ES module for Node 24 that contains everything except
 * Node's own modules.
 */
export interface Bundling extends BuildOptions {
  readonly bundle: true
  readonly format: 'esm'
  readonly platform: 'node'
  readonly target: 'node24'
  readonly conditions: string[]
  readonly alias: Record<string, string>
}

/**
 * @param folder the folder of the bundled source
 * @param packages folders or files of packages by name, which take precedence over any `node_modules`
 */
export function bundling(folder: string, packages: Readonly<Record<string, string>> = {}): Bundling {
  return {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: conditionsFor(folder),
    alias: { ...packages },
  }
}

/**
 * Export conditions that resolve our packages to their sources, if present, so that a module can be built
 * before any package is. An installed API package has no sources, and esbuild rejects a condition whose
 * target does not exist.
 */
export function conditionsFor(folder: string): string[] {
  // 'module' is esbuild's own default, which any explicit condition disables.
  return hasSources(folder) ? ['gatewright-source', 'module'] : ['module']
}

function hasSources(folder: string): boolean {
  let description: string | undefined
  try {
    description = findPackageJSON('@gatewright/api', join(folder, 'package.json'))
  } catch {
    return false
  }
  return description !== undefined && existsSync(join(dirname(description), 'src/index.ts'))
}
