import { byteJson } from '../render/byte-json.ts'
import { junitText } from './report-junit.ts'

/**
 * Replaces a report if nothing could be checked: no consumer may mistake silence, or an older report, for
 * success.
 */
export function couldNotCheck(format: 'tap' | 'junit' | 'json' | 'human', subject: string, lines: readonly string[]): string {
  const message = lines.join('\n')
  switch (format) {
    case 'human':
      return ''
    case 'tap':
      return `TAP version 14\nBail out! ${message.replace(/\n[\s\S]*/, '')}\n`
    case 'json':
      return `${byteJson({ subject, error: message })}\n`
    case 'junit':
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="gatewright check" tests="1" failures="0" errors="1">',
        `  <testsuite name="${junitText(subject)}" tests="1" failures="0" errors="1" skipped="0">`,
        `    <testcase classname="check" name="check" time="0"><error type="check" message="${junitText(lines.join('; '))}"/></testcase>`,
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n')
  }
}
