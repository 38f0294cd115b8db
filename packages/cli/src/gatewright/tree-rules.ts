import { join } from 'node:path'
import { treeConfiguration } from '@gatewright/policy'
import { installedModules } from './installed-modules.ts'

/**
 * The configuration for a tree of .htaccess files without a server. Its file exists only in memory; messages
 * show its name.
 */
export function treeRules(
  folder: string,
  allowOverride: string,
  moduleFiles: readonly string[] = installedModules(),
  closedFiles?: readonly string[],
): { readonly configFile: string; readonly text: string } {
  return {
    configFile: join(folder, '(rules of any tree)'),
    text: treeConfiguration({ folder, allowOverride, moduleFiles, closedFiles }),
  }
}

/**
 * The default for directives allowed in the files of a tree: all, and directives of unavailable modules are
 * ignored.
 */
export const TREE_OVERRIDE = 'All Nonfatal=Unknown'
