import { byteJson } from '../render/byte-json.ts'
import { type CheckReport, failures } from './check-report.ts'

/** A report as JSON, one character for each byte of it. */
export function checkJson(report: CheckReport): string {
  const { subject, milliseconds, results } = report
  const failed = failures(report).length
  return `${byteJson({ subject, passed: results.length - failed, failed, milliseconds: Math.round(milliseconds), results })}\n`
}
