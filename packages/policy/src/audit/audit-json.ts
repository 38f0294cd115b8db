import { byteJson } from '../render/byte-json.ts'
import type { AuditReport } from './audit-report.ts'

/** The report as JSON, one character for each byte of it. */
export function auditJson(report: AuditReport): string {
  return byteJson(report)
}
