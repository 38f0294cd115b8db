import { readFileSync } from 'node:fs'
import type ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { API_CHANGES, type ApiChange } from './changes.ts'
import { nodeAt, parse, statementOf } from './syntax.ts'

/**
 * A diagnostic with the section of UPGRADING.md that explains what to do, if the API's change of line caused
 * it.
 */
export interface PointedDiagnostic extends SourceDiagnostic {
  /** As `UPGRADING.md#api-client-address`; null for other errors. */
  readonly pointer: string | null
}

/**
 * Finds the change of the API that caused each diagnostic. @param textOf the text of a file, as it was
 * checked
 */
export function pointDiagnostics(
  diagnostics: readonly SourceDiagnostic[],
  textOf: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): PointedDiagnostic[] {
  return attributeDiagnostics(diagnostics, textOf).map(({ diagnostic, change }) => ({
    ...diagnostic,
    pointer: change === undefined ? null : `UPGRADING.md#${change.anchor}`,
  }))
}

/** A diagnostic, the node at its position, and the change that caused it. */
export interface Attribution {
  readonly diagnostic: SourceDiagnostic
  readonly node: ts.Node | undefined
  readonly change: ApiChange | undefined
  /** A consequence of another diagnostic that the change caused. */
  readonly follows: boolean
}

export function attributeDiagnostics(diagnostics: readonly SourceDiagnostic[], textOf: (file: string) => string): Attribution[] {
  const trees = new Map<string, ts.SourceFile>()
  const treeOf = (file: string): ts.SourceFile => {
    const known = trees.get(file) ?? parse(file, textOf(file))
    trees.set(file, known)
    return known
  }
  const direct = diagnostics.map((diagnostic): Attribution => {
    const node = diagnostic.file === '' ? undefined : nodeAt(treeOf(diagnostic.file), diagnostic)
    const change = node === undefined ? undefined : changeBehind(diagnostic, node)
    return { diagnostic, node, change, follows: false }
  })
  return direct.map((each) => (each.change === undefined ? consequence(each, direct) : each))
}

/** The change of the API's line that caused a diagnostic. @param node the node at its position */
export function changeBehind(diagnostic: SourceDiagnostic, node: ts.Node): ApiChange | undefined {
  const { row } = diagnostic
  return API_CHANGES.find(({ anchor, causes }) => (row === undefined ? causes(diagnostic, node) : anchor === row))
}

/** A value no longer has a type because its source was removed: unknown and implicit any. */
const UNTYPED = new Set([7006, 7031, 7005, 7034, 18046, 2571])

/**
 * An untyped value follows from a removal in the same statement, or from a missing API package in the same
 * file.
 */
function consequence(each: Attribution, all: readonly Attribution[]): Attribution {
  const { diagnostic, node } = each
  if (node === undefined || !UNTYPED.has(diagnostic.code)) return each
  const cause = all.find(
    ({ node: other, change }) =>
      change !== undefined &&
      other !== undefined &&
      other.getSourceFile() === node.getSourceFile() &&
      (change.anchor === 'api-package' || statementOf(other) === statementOf(node)),
  )
  return cause === undefined ? each : { ...each, change: cause.change, follows: true }
}
