import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import { type CheckOptions, SourceChecker } from '../check.ts'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { reachableFiles } from '../reachable-files.ts'
import { FORMER_PACKAGE } from './changes.ts'
import { applyEdits, type TextEdit } from './edits.ts'
import { lineDiff } from './line-diff.ts'
import { attributeDiagnostics, type PointedDiagnostic, pointDiagnostics } from './pointers.ts'
import { parse } from './syntax.ts'

/** A file that was rewritten. */
export interface UpgradedFile {
  readonly file: string
  /** The file that holds the original text; the one from the first run is kept. */
  readonly original: string
  /** Lines of a diff, without the names of the files. */
  readonly diff: readonly string[]
}

export interface UpgradeResult {
  readonly files: readonly UpgradedFile[]
  /** The remaining work for the author. */
  readonly remaining: readonly PointedDiagnostic[]
}

/** A fix may reveal the next diagnostic: first for `a.connection.remoteIp`, then for its use. */
const ROUNDS = 10

/**
 * Rewrites a module of the 2.2 line at the positions that the type checker reports, if the change is
 * unambiguous. The rest of each file is unchanged, including formatting and comments. The former text is kept
 * as FILE.orig.
 */
export function upgradeSources(options: CheckOptions, checker: SourceChecker = new SourceChecker()): UpgradeResult {
  const sources = new Sources(options.files.flatMap(reachableFiles))
  for (const file of sources.names()) sources.edit(file, importEdits(file, sources.textOf(file)))
  let diagnostics = checker.check(options)
  for (let round = 0; round < ROUNDS; round++) {
    const fixes = fixesByFile(diagnostics, (file) => sources.textOf(file))
    const changed = [...fixes].filter(([file, edits]) => sources.edit(file, edits))
    if (changed.length === 0) break
    diagnostics = checker.check(options)
  }
  return { files: sources.upgraded(), remaining: pointDiagnostics(diagnostics, (file) => sources.textOf(file)) }
}

/** The files of a module: the original text and the current text, which is also on disk. */
class Sources {
  readonly #before: ReadonlyMap<string, string>
  readonly #now: Map<string, string>

  constructor(files: readonly string[]) {
    this.#before = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
    this.#now = new Map(this.#before)
  }

  names(): Iterable<string> {
    return this.#before.keys()
  }

  /** Also for a file that does not belong to the module. */
  textOf(file: string): string {
    return this.#now.get(file) ?? readFileSync(file, 'utf8')
  }

  /** @returns whether the file is one of the module's, and has changed */
  edit(file: string, edits: readonly TextEdit[]): boolean {
    const text = this.#now.get(file)
    const changed = text === undefined ? undefined : applyEdits(text, edits)
    if (changed === undefined || changed === text) return false
    if (!existsSync(`${file}.orig`)) copyFileSync(file, `${file}.orig`)
    writeFileSync(file, changed)
    this.#now.set(file, changed)
    return true
  }

  upgraded(): UpgradedFile[] {
    return [...this.#before].flatMap(([file, before]) => {
      const now = this.textOf(file)
      const original = `${file}.orig`
      return before === now ? [] : [{ file, original, diff: lineDiff(before, now) }]
    })
  }
}

function fixesByFile(diagnostics: readonly SourceDiagnostic[], textOf: (file: string) => string): Map<string, TextEdit[]> {
  const edits = new Map<string, TextEdit[]>()
  for (const { diagnostic, node, change, follows } of attributeDiagnostics(diagnostics, textOf)) {
    // A match by name alone may be something else: the author decides.
    const isCertain = !follows && diagnostic.row === undefined
    const edit = node !== undefined && isCertain ? change?.fix?.(node) : undefined
    if (edit !== undefined) edits.set(diagnostic.file, [...(edits.get(diagnostic.file) ?? []), edit])
  }
  return edits
}

/** Imports of the former package by its own name. If it is installed, the checker does not report them. */
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
