import { readFileSync } from 'node:fs'
import type ts from 'typescript'
import type { SourceProblem } from '../check.ts'
import { API_CHANGES, type ApiChange } from './changes.ts'
import { nodeAt, parse, statementOf } from './syntax.ts'

/** A problem with the section of UPGRADING.md that says what to do, if it comes from the change of the API's line. */
export interface PointedProblem extends SourceProblem {
  /** As `UPGRADING.md#api-client-address`; null for a mistake of another kind. */
  readonly pointer: string | null
}

/** Tells of each problem which change of the API it comes from. @param textOf the text of a file, as it was checked */
export function pointProblems(
  problems: readonly SourceProblem[],
  textOf: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): PointedProblem[] {
  return attributeProblems(problems, textOf).map(({ problem, change }) => ({
    ...problem,
    pointer: change === undefined ? null : `UPGRADING.md#${change.anchor}`,
  }))
}

/** A problem, the node at its place, and the change that it comes from. */
export interface Attribution {
  readonly problem: SourceProblem
  readonly node: ts.Node | undefined
  readonly change: ApiChange | undefined
  /** It only follows from another one that does come from the change. */
  readonly follows: boolean
}

export function attributeProblems(problems: readonly SourceProblem[], textOf: (file: string) => string): Attribution[] {
  const trees = new Map<string, ts.SourceFile>()
  const treeOf = (file: string): ts.SourceFile => {
    const known = trees.get(file) ?? parse(file, textOf(file))
    trees.set(file, known)
    return known
  }
  const direct = problems.map((problem): Attribution => {
    const node = problem.file === '' ? undefined : nodeAt(treeOf(problem.file), problem)
    const change = node === undefined ? undefined : API_CHANGES.find(({ causes }) => causes(problem, node))
    return { problem, node, change, follows: false }
  })
  return direct.map((each) => (each.change === undefined ? consequence(each, direct) : each))
}

/** Something has no type any more, because what it came from is gone: unknown and implicit any. */
const UNTYPED = new Set([7006, 7031, 7005, 7034, 18046, 2571])

/** What is untyped in a statement where something is gone, or in a file whose API package cannot be found, follows from that. */
function consequence(each: Attribution, all: readonly Attribution[]): Attribution {
  const { problem, node } = each
  if (node === undefined || !UNTYPED.has(problem.code)) return each
  const cause = all.find(
    ({ node: other, change }) =>
      change !== undefined &&
      other !== undefined &&
      other.getSourceFile() === node.getSourceFile() &&
      (change.anchor === 'api-package' || statementOf(other) === statementOf(node)),
  )
  return cause === undefined ? each : { ...each, change: cause.change, follows: true }
}
