import type { Origin, UpgradeReport } from '../report.ts'

/** The first sentence of a report. */
export function headline({ verdict, counts, missing }: UpgradeReport): string {
  if (missing.length > 0) return `Not yet: this server does not provide ${missing.join(', ')}. ${workWords(counts)}`
  if (verdict === 'ready') return 'Ready for 2.4: no changes are necessary.'
  return workWords(counts)
}

function workWords(counts: UpgradeReport['counts']): string {
  const must = counts.must === 0 ? [] : [`${things(counts.must)} must change`]
  const look = counts.look === 0 ? [] : [`${things(counts.look)} to check`]
  return `Needs work: ${[...must, ...look].join(', ')}.`
}

function things(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`
}

export function originWords({ line, evidence }: Origin): string {
  const reported = evidence === null ? '' : ` (${evidence.file}:${evidence.line}: ${evidence.text})`
  switch (line) {
    case '2.2':
      return `Written for 2.2${reported}.`
    case '2.4':
      return `Written for 2.4${reported}; defaults of 2.2 are not relevant.`
    case 'both':
      return `Written for 2.2 and 2.4, with guards${reported}.`
    case 'unknown':
      return 'No sign of whether it was written for 2.2 or 2.4; treated as 2.2.'
  }
}

export function compatWords({ now, afterMigration }: UpgradeReport['compat']): string {
  if (!now) return 'mod_access_compat is not needed.'
  return afterMigration
    ? 'mod_access_compat must stay loaded, even after gatewright migrate: some rules remain in the old dialect.'
    : 'mod_access_compat is needed now, but no longer after gatewright migrate.'
}
