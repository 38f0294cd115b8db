import { byteJson } from '../../render/byte-json.ts'
import type { UpgradeReport } from '../report.ts'

/**
 * The report for programs, in the form of `schema/upgrade-report.schema.json`; one character for each byte.
 */
export function upgradeReportJson(report: UpgradeReport): string {
  return byteJson(report)
}
