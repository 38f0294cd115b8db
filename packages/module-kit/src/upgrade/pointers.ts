import { readFileSync } from 'node:fs'
import type ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { API_CHANGES, type ApiChange } from './changes.ts'
import { nodeAt, parse, statementOf } from './syntax.ts'

/** A diagnostic with the section of UPGRADING.md that says what to do, if it comes from the change of the API's line. */
export interface PointedDiagnostic extends SourceDiagnostic {
  /** As `UPGRADING.md#api-client-address`; null for a mistake of another kind. */
  readonly pointer: string | null
}

/** Tells of each diagnostic which change of the API it comes from. @param textOf the text of a file, as it was checked */
export function pointDiagnostics(
  diagnostics: readonly SourceDiagnostic[],
  textOf: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): PointedDiagnostic[] {
  return attributeDiagnostics(diagnostics, textOf).map(({ diagnostic, change }) => ({
    ...diagnostic,
    pointer: change === undefined ? null : `UPGRADING.md#${change.anchor}`,
  }))
}

/** A diagnostic, the node at its place, and the change that it comes from. */
export interface Attribution {
  readonly diagnostic: SourceDiagnostic
  readonly node: ts.Node | undefined
  readonly change: ApiChange | undefined
  /** It only follows from another one that does come from the change. */
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

/** The change of the API's line that a diagnostic comes from. @param node what stands at its place */
export function changeBehind(diagnostic: SourceDiagnostic, node: ts.Node): ApiChange | undefined {
  const { row } = diagnostic
  return API_CHANGES.find(({ anchor, causes }) => (row === undefined ? causes(diagnostic, node) : anchor === row))
}

/** Something has no type any more, because what it came from is gone: unknown and implicit any. */
const UNTYPED = new Set([7006, 7031, 7005, 7034, 18046, 2571])

/** What is untyped in a statement where something is gone, or in a file whose API package cannot be found, follows from that. */
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
