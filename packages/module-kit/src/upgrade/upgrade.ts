import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { FORMER_PACKAGE } from './changes.ts'
import { applyEdits, type TextEdit } from './edits.ts'
import { lineDiff } from './line-diff.ts'
import { attributeDiagnostics, type PointedDiagnostic, pointDiagnostics } from './pointers.ts'
import { parse } from './syntax.ts'

export interface UpgradeOptions {
  /** The module's own source files. */
  readonly files: readonly string[]
  /** Checks them as they are now against the present API. */
  check(): readonly SourceDiagnostic[] | Promise<readonly SourceDiagnostic[]>
}

/** A file that was rewritten. */
export interface UpgradedFile {
  readonly file: string
  /** Where its former text is; that of the first run stays. */
  readonly original: string
  readonly diff: string
}

export interface UpgradeResult {
  readonly files: readonly UpgradedFile[]
  /** What is left for the author. */
  readonly remaining: readonly PointedDiagnostic[]
}

/** A fix may bring up the next diagnostic: of `a.connection.remoteIp` and then of what is done with it. */
const ROUNDS = 10

/**
 * Rewrites in a module of the 2.2 line what can be rewritten without thinking, at the places that the type checker complains of. Nothing else of
 * a file is touched: its form and comments stay. The former text is kept as FILE.orig.
 */
export async function upgradeSources({ files, check }: UpgradeOptions): Promise<UpgradeResult> {
  const before = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const now = new Map(before)
  const replace = (file: string, edits: readonly TextEdit[]): boolean => {
    const text = now.get(file)
    const changed = text === undefined ? undefined : applyEdits(text, edits)
    if (changed === undefined || changed === text) return false
    keepOriginal(file, before.get(file) ?? '')
    writeFileSync(file, changed)
    now.set(file, changed)
    return true
  }
  const textOf = (file: string): string => now.get(file) ?? readFileSync(file, 'utf8')
  for (const file of files) replace(file, importEdits(file, textOf(file)))
  let diagnostics = await check()
  for (let round = 0; round < ROUNDS; round++) {
    const changed = [...fixesByFile(diagnostics, textOf)].filter(([file, edits]) => replace(file, edits))
    if (changed.length === 0) break
    diagnostics = await check()
  }
  return {
    files: files.flatMap((file) => upgraded(file, before.get(file), now.get(file))),
    remaining: pointDiagnostics(diagnostics, textOf),
  }
}

function keepOriginal(file: string, text: string): void {
  if (!existsSync(`${file}.orig`)) writeFileSync(`${file}.orig`, text)
}

function upgraded(file: string, before = '', now = ''): UpgradedFile[] {
  if (before === now) return []
  const original = `${file}.orig`
  return [{ file, original, diff: lineDiff(before, now, { before: original, after: file }) }]
}

function fixesByFile(diagnostics: readonly SourceDiagnostic[], textOf: (file: string) => string): Map<string, TextEdit[]> {
  const edits = new Map<string, TextEdit[]>()
  for (const { diagnostic, node, change, follows } of attributeDiagnostics(diagnostics, textOf)) {
    const edit = node === undefined || follows ? undefined : change?.fix?.(node)
    if (edit !== undefined) edits.set(diagnostic.file, [...(edits.get(diagnostic.file) ?? []), edit])
  }
  return edits
}

/** Imports of the former package by its own name. Where that is installed, the checker does not complain of them. */
function importEdits(file: string, text: string): TextEdit[] {
  const edits: TextEdit[] = []
  for (const statement of parse(file, text).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const specifier = statement.moduleSpecifier
    if (specifier === undefined || !ts.isStringLiteral(specifier) || specifier.text !== FORMER_PACKAGE) continue
    edits.push({ start: specifier.getStart() + 1, end: specifier.getEnd() - 1, text: '@gatewright/api' })
  }
  return edits
}
