import { join } from 'node:path'
import { treeConfiguration } from '@gatewright/policy'
import { installedModules } from './installed-modules.ts'

/** The configuration under which a bare tree of .htaccess files is looked at. Its file is in memory only; the name is what messages show. */
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

/** What files of a tree may say unless told otherwise: all, with directives of modules that are not here passed over. */
export const TREE_OVERRIDE = 'All Nonfatal=Unknown'
