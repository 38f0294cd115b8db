import { visible } from '../render/visible.ts'
import { answeringLines, type CheckReport, type CheckResult } from './check-report.ts'

/** A report as TAP version 14: one test point a result, with a YAML block below each that failed. */
export function checkTap(report: CheckReport): string {
  const { results } = report
  return [
    'TAP version 14',
    `1..${results.length}`,
    ...results.flatMap(point),
    ...answeringLines(report).map((line) => `# ${visible(line)}`),
    '',
  ].join('\n')
}

function point(result: CheckResult, index: number): string[] {
  const line = `${result.passed ? 'ok' : 'not ok'} ${index + 1} - ${visible(result.title).replace(/[\\#]/g, '\\$&')}`
  return result.passed ? [line] : [line, ...diagnosis(result)]
}

function diagnosis({ place, expected, actual, reason, explanation }: CheckResult): string[] {
  const at = place === null ? [] : [`  at: ${scalar(place.line === 0 ? place.file : `${place.file}:${place.line}`)}`]
  const all = explanation === null ? [] : ['  explanation: |-', ...explanation.split('\n').map((line) => `    ${line}`.trimEnd())]
  return [
    '  ---',
    `  expected: ${scalar(expected)}`,
    `  actual: ${scalar(actual)}`,
    `  reason: ${scalar(reason)}`,
    ...at,
    ...all,
    '  ...',
  ]
}

/** A YAML string in double quotes, which is written as JSON's. */
function scalar(text: string): string {
  return JSON.stringify(text)
}
