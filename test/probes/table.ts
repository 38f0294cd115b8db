import type { Level } from './probe.ts'
import type { Result } from './probing.ts'

/** The results of several servers, the columns of the table. */
export type Results = ReadonlyMap<string, readonly Result[]>

/** Passed and failed by server and level, then each probe that some server fails, with its result. */
export function table(results: Results): string {
  const names = [...results.keys()]
  const summary = [['', 'MUST', 'SHOULD', 'left out'], ...names.map((name) => summaryRow(name, results.get(name) ?? []))]
  const details = [['failed by somebody', 'RFC', 'level', ...names], ...detailRows(results)]
  return `${columns(summary)}\n\n${columns(details)}`
}

function summaryRow(name: string, results: readonly Result[]): string[] {
  const count = (level: Level): string => {
    const asked = results.filter(({ probe, verdict }) => probe.level === level && verdict !== 'left out')
    return `${asked.filter(({ verdict }) => verdict === 'passed').length} of ${asked.length}`
  }
  return [name, count('MUST'), count('SHOULD'), String(results.filter(({ verdict }) => verdict === 'left out').length)]
}

function detailRows(results: Results): string[][] {
  const all = [...results.values()]
  const rows: string[][] = []
  for (const [index, { probe }] of (all[0] ?? []).entries()) {
    const row = all.map((one) => one[index])
    if (!row.some(({ verdict }) => verdict === 'failed')) continue
    rows.push([probe.id, probe.section, probe.level, ...row.map(cell)])
  }
  return rows
}

function cell({ verdict, came }: Result): string {
  return verdict === 'failed' ? came : verdict === 'passed' ? '.' : '-'
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
