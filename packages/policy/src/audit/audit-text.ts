import type { Palette } from '../render/palette.ts'
import { visible } from '../render/visible.ts'
import type { AuditReport } from './audit-report.ts'
import type { ConfiguredRule } from './configured-rules.ts'
import type { Visits } from './tallied-visits.ts'

/** The report for people. */
export function auditText(reported: AuditReport, palette: Palette): string {
  const report = visible(reported)
  return [head(report, palette), refusals(report, palette), unmatched(report, palette), byAddress(report, palette)].join('\n\n')
}

function head(
  { day, first, last, granted, refused, failed, isSampled, unreadable, otherDays }: AuditReport,
  { strong }: Palette,
): string {
  const when = day === null ? 'All days' : day
  const span = first === null || last === null ? '' : ` (${first} to ${last})`
  const about = isSampled ? 'about ' : ''
  return [
    strong(
      `${when}${span}: ${granted + refused + failed} decisions, ${about}${granted} granted, ${refused} refused, ${failed} failed`,
    ),
    ...(isSampled ? ['Note: grants were sampled, so their numbers are estimates, and a rule may have granted unseen'] : []),
    ...(otherDays > 0 ? [`Note: decisions of other days, which are not counted: ${otherDays}`] : []),
    ...(unreadable > 0 ? [`Note: lines that are not decisions, or not whole: ${unreadable}`] : []),
  ].join('\n')
}

function refusals({ refusals }: AuditReport, palette: Palette): string {
  if (refusals.length === 0) return palette.strong('Nobody was refused')
  return [
    palette.strong('Refused'),
    ...refusals.flatMap(({ rules, by, status, count, visits, others }) => [
      `  ${palette.bad(String(count))} x ${status > 0 ? `${status} ` : ''}${reasonOf(rules, by, status)}`,
      ...visitLines(visits, others),
    ]),
  ].join('\n')
}

function reasonOf(rules: readonly ConfiguredRule[], by: string, status: number): string {
  if (rules.length > 0) return rules.map(ruleText).join('; ')
  if (by !== '') return `by ${by}`
  return status === 401 ? 'by a login that failed or is missing' : 'by none of Require, Allow and Deny'
}

function unmatched({ unmatched, knowsConfiguration }: AuditReport, { strong, waiting }: Palette): string {
  if (unmatched === null) return strong('Which rules never matched is not known: the log has no grants')
  if (unmatched.length === 0)
    return strong(`All rules ${knowsConfiguration ? 'of the configuration' : 'that were asked'} have matched`)
  return [
    strong(knowsConfiguration ? 'Rules of the configuration that never matched' : 'Rules that were asked and never matched'),
    ...unmatched.map((rule) => `  ${ruleText(rule)}: ${rule.asked > 0 ? `asked ${rule.asked} times` : waiting('never asked')}`),
  ].join('\n')
}

function byAddress({ byAddress }: AuditReport, palette: Palette): string {
  if (byAddress.length === 0) return palette.strong('No grant rests on an address alone')
  return [
    palette.strong('Grants that rest on an address alone'),
    ...byAddress.flatMap(({ rules, count, visits, others }) => [
      `  ${palette.waiting(String(count))} x ${rules.map(ruleText).join('; ')}`,
      ...visitLines(visits, others),
    ]),
  ].join('\n')
}

function visitLines(visits: readonly Visits[], others: number): readonly string[] {
  const width = String(visits[0]?.count ?? 0).length
  return [
    ...visits.map(
      ({ client, user, host, path, count }) =>
        `    ${String(count).padStart(width)}  ${user === null || user === '' ? client : `${user} from ${client}`}  ${host}${path}`,
    ),
    ...(others > 0 ? [`    ${String(others).padStart(width)}  others`] : []),
  ]
}

function ruleText({ rule, file, line }: ConfiguredRule): string {
  return `${rule} (${file}:${line})`
}
