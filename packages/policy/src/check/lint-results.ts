import type { Finding } from '../finding.ts'
import { placeTextBelow } from '../place-text.ts'
import type { CheckResult } from './check-report.ts'

/**
 * The findings of lint as results: an open resource that a rule should close has failed, the rest is only
 * reported.
 * @param folder paths below it are shown relative to it
 */
export function lintResults(findings: readonly Finding[], folder: string): CheckResult[] {
  if (findings.length === 0) return [result('lint finds nothing', null)]
  const placeText = placeTextBelow(folder)
  return findings.map(({ rule, severity, file, line, message, hint, request }) => {
    const shown = request === undefined ? '' : `${request.curl} (from ${request.question.client}): ${request.status}; `
    const place = { file: placeText({ file, line: 0 }), line }
    const title = `${rule} ${severity} ${placeText({ file, line })}: ${message}`
    if (severity !== 'error') return result(title, place)
    return { ...result(title, place), passed: false, actual: message, reason: `${shown}hint: ${hint}` }
  })
}

function result(title: string, place: CheckResult['place']): CheckResult {
  return {
    kind: 'lint',
    title,
    passed: true,
    place,
    expected: 'no finding',
    actual: 'none',
    answeredBy: null,
    note: '',
    reason: '',
    explanation: null,
  }
}
