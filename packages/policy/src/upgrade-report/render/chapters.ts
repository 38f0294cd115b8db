import type { UpgradeFinding, Weight } from '../finding.ts'

/** A group of remarks in a report for people. */
export interface Chapter {
  readonly id: string
  readonly title: string
  /** The text for an empty chapter. */
  readonly none: string
  readonly findings: readonly UpgradeFinding[]
}

/** The findings in the order of the report: by subject, and then by weight. */
export function chapters(findings: readonly UpgradeFinding[]): Chapter[] {
  return CHAPTERS.map(({ kind, ...rest }) => ({
    id: kind,
    ...rest,
    findings: WEIGHTS.flatMap((weight) => findings.filter((finding) => finding.kind === kind && finding.weight === weight)),
  }))
}

export const WEIGHTS: readonly Weight[] = ['must', 'look', 'know']

/** A word for each weight. */
export const WEIGHT_NAMES: Readonly<Record<Weight, string>> = { must: 'must change', look: 'to check', know: 'to know' }

const CHAPTERS = [
  { kind: 'directive', title: 'Directives', none: 'All directives exist in 2.4.' },
  { kind: 'access', title: 'Old access rules', none: 'The configuration does not use Order, Allow, Deny or Satisfy.' },
  { kind: 'default', title: 'Changed defaults', none: 'Nothing relies on a default that has changed.' },
  { kind: 'module', title: 'Modules', none: 'No LoadModule lines.' },
  { kind: 'option', title: 'Options of configure', none: 'No config.nice was read.' },
] as const
