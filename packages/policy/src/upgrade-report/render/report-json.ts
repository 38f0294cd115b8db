import type { UpgradeReport } from '../report.ts'
import { readable } from './readable.ts'

/** The report for programs, in the form of `schema/upgrade-report.schema.json`. */
export function upgradeReportJson(report: UpgradeReport): string {
  return JSON.stringify(readable(report), null, 2)
}
