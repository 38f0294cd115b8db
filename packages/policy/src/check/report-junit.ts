import { isUtf8 } from 'node:buffer'
import { visible } from '../render/visible.ts'
import { answeringLines, type CheckReport, type CheckResult, failures } from './check-report.ts'

/** A report as JUnit's XML, as the services read it: one suite, a case for each result. */
export function checkJunit(report: CheckReport): string {
  const { subject, results, milliseconds } = report
  const counts = `tests="${results.length}" failures="${failures(report).length}" errors="0"`
  const time = `time="${(milliseconds / 1000).toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gatewright check" ${counts} ${time}>`,
    `  <testsuite name="${junitText(subject)}" ${counts} skipped="0" ${time}>`,
    ...results.flatMap(testCase),
    `    <system-out>${junitText(answeringLines(report).join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ kind, title, place, passed, expected, actual, reason, explanation }: CheckResult): string[] {
  const at = place === null ? '' : ` file="${junitText(place.file)}" line="${place.line}"`
  const head = `    <testcase classname="${kind}" name="${junitText(title)}"${at} time="0"`
  if (passed) return [`${head}/>`]
  const where = place === null ? [] : [place.line === 0 ? place.file : `${place.file}:${place.line}`]
  const lines = [`expected ${expected}, got ${actual}`, reason, ...where].filter((line) => line !== '').map(junitText)
  const reported = explanation === null ? [] : ['', ...explanation.split('\n').map(junitText)]
  return [
    `${head}>`,
    `      <failure type="${kind}" message="${lines[0]}">${[...lines, ...reported].join('\n')}</failure>`,
    '    </testcase>',
  ]
}

/**
 * Text between tags or quotes. XML cannot represent most control characters: they are shown as elsewhere, and
 * so are bytes that are not UTF-8.
 */
export function junitText(text: string): string {
  return visible(text)
    .replace(/[\x80-\xff]+/g, (bytes) => (isUtf8(Buffer.from(bytes, 'latin1')) ? bytes : hexadecimal(bytes)))
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function hexadecimal(bytes: string): string {
  return Array.from(bytes, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`).join('')
}
