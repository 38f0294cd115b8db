import { answeringServerText } from '../answering-server.ts'
import { placeTextBelow } from '../place-text.ts'
import type { Palette } from '../render/palette.ts'
import { visible } from '../render/visible.ts'
import { answeringLines, type CheckReport, type CheckResult, failures } from './check-report.ts'

/** A report for people: the failures with their reasons, then the counts. */
export function checkText(report: CheckReport, palette: Palette): string {
  const { results, milliseconds } = report
  const failed = failures(report)
  const count =
    failed.length === 0
      ? palette.good(`${results.length} as expected`)
      : `${palette.bad(`${failed.length} not as expected`)}, ${results.length - failed.length} as expected`
  return [
    ...failed.flatMap((result) => failure(result, report, palette)),
    ...answeringLines(report).map((line) => palette.faint(visible(line))),
    `${count} ${palette.faint(`(${Math.round(milliseconds)} ms)`)}`,
    '',
  ].join('\n')
}

function failure(result: CheckResult, { folder }: CheckReport, palette: Palette): string[] {
  const { title, place, expected, actual, answeredBy, note, reason } = visible({ ...result, explanation: null })
  const where = place === null ? '' : palette.faint(`  ${place.line === 0 ? place.file : `${place.file}:${place.line}`}`)
  return [
    `${palette.bad('x')} ${palette.strong(title)}${where}`,
    `    expected ${palette.good(expected)}, got ${palette.bad(actual)}`,
    ...(answeredBy === null ? [] : [`    answered by ${answeringServerText(answeredBy, placeTextBelow(folder))}`]),
    ...(note === '' ? [] : [`    note: ${note}`]),
    ...(reason === '' ? [] : [`    ${reason}`]),
    ...(result.explanation === null ? [] : ['', ...result.explanation.split('\n').map((line) => `    ${line}`.trimEnd())]),
    '',
  ]
}
