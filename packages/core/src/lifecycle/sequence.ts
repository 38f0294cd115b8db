import type { Phase, PhaseRules, PhaseWork } from './phase.ts'

/**
 * A row with the indexes of the rows that may follow it. All have the same shape, which keeps the loop over
 * them fast.
 */
export interface CompiledPhase {
  readonly run: PhaseWork
  readonly when: PhaseRules['when']
  readonly verdict: PhaseRules['verdict']
  readonly trace: PhaseRules['trace']
  /** True if OK means that the request has not failed, whatever happened before. */
  readonly succeeds: boolean
  /** The row after OK. */
  readonly next: number
  /** The row after OK of a request that had failed before, and after an error. */
  readonly failed: number
  /** The row after DONE: the first one after the handler, or the end. */
  readonly done: number
  /** The row if this one is skipped. */
  readonly skipped: number
}

/** The rows that one kind of request passes. */
export interface Sequence {
  readonly phases: readonly CompiledPhase[]
  /** The row at which a redirected request enters the table. */
  readonly redirected: number
}

/** The row at which a redirected request enters the table. */
export const REDIRECTED = 'postReadRequest'
/** The row of the table after the handler. */
export const HANDLED = 'nameClientForLogs'

/**
 * Compiles rows to a sequence. A request that succeeds passes the rows of the success track from top to bottom.
 * An error sends it to the next row of the failure track below. Below adjacent rows of the failure track it
 * returns to the success track. Rows without any effect are passed over.
 */
export function compileSequence(rows: readonly Phase[]): Sequence {
  const handled = rows.findIndex(({ name }) => name === HANDLED)
  const phases = rows.map((row, index): CompiledPhase => {
    const { on, run, when, verdict, trace, continueAt } = row
    const below = on === 'failure' ? index + 1 : nextOn('success', rows, index)
    const next = continueAt === undefined ? below : continueAt === 'end' ? rows.length : indexOfRow(rows, continueAt)
    const failed = on === 'failure' ? next : nextOn('failure', rows, index)
    const done = index < handled ? handled : rows.length
    return { run, when, verdict, trace, succeeds: on === 'success', next, failed, done, skipped: below }
  })
  return { phases, redirected: rows.findIndex(({ name }) => name === REDIRECTED) }
}

/** @throws Error if no row has the name */
export function indexOfRow(rows: readonly Phase[], name: string): number {
  const index = rows.findIndex((row) => row.name === name)
  if (index < 0) throw new Error(`no phase is called ${name}`)
  return index
}

function nextOn(track: 'success' | 'failure', rows: readonly Phase[], after: number): number {
  const index = rows.findIndex((row, at) => at > after && (row.on === track || row.on === 'both') && !hasNoEffect(row))
  return index < 0 ? rows.length : index
}

/** A row of the success track whose outcome is always OK. A verdict or a trace may have an effect of its own. */
function hasNoEffect({ isIdle, on, verdict, trace, continueAt }: Phase): boolean {
  return isIdle && on === 'success' && verdict === undefined && trace === undefined && continueAt === undefined
}
