import { printDiagnostic } from '../print-diagnostic.ts'
import type { PointedDiagnostic } from './pointers.ts'
import type { UpgradeResult } from './upgrade.ts'

/** A diagnostic as compilers print it, and below it where to read on. */
export function diagnosticLines(diagnostic: PointedDiagnostic): string[] {
  const complaint = printDiagnostic(diagnostic, process.cwd())
  return diagnostic.pointer === null ? [complaint] : [complaint, `hint: this is another one since 2.2: see ${diagnostic.pointer}`]
}

/** What `apxs -c --upgrade` prints: what it did, and what is left to do. */
export function upgradeReport({ files, remaining }: UpgradeResult): string[] {
  const done = files.flatMap(({ file, original, diff }) => [`rewrote ${file}, former text in ${original}`, diff])
  if (files.length === 0) done.push('nothing to rewrite')
  if (remaining.length === 0) return [...done, 'nothing left to do by hand']
  return [...done, 'left to do by hand:', ...remaining.flatMap(diagnosticLines)]
}
