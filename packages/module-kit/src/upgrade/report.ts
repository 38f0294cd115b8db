import { relative, resolve } from 'node:path'
import { printDiagnostic } from '../print-diagnostic.ts'
import type { PointedDiagnostic } from './pointers.ts'
import type { UpgradeResult } from './upgrade.ts'

/**
 * A diagnostic as compilers print it, followed by a reference to the documentation. @param folder paths are
 * shown relative to it
 */
export function printPointed(diagnostic: PointedDiagnostic, folder: string): string {
  const printed = printDiagnostic(diagnostic, folder)
  return diagnostic.pointer === null ? printed : `${printed}\nhint: this changed between 2.2 and 2.4, see ${diagnostic.pointer}`
}

/** The output of `apxs -c --upgrade`: the changes made, and the remaining work. */
export function upgradeReport({ files, remaining }: UpgradeResult, folder: string): string {
  const shown = (file: string): string => relative(folder, resolve(file))
  const done = files.flatMap(({ file, original, diff }) => [`--- ${shown(original)}`, `+++ ${shown(file)}`, ...diff])
  if (files.length === 0) done.push('nothing to rewrite')
  const left = remaining.map((diagnostic) => printPointed(diagnostic, folder))
  return [...done, left.length === 0 ? 'nothing is left to do manually' : 'left to do by hand:', ...left].join('\n')
}
