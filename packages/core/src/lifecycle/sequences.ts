import type { Phase } from './phase.ts'
import { compileSequence, HANDLED, indexOfRow, type Sequence } from './sequence.ts'

/** What each kind of request passes of the one table in lifecycle.ts. */
export interface Sequences {
  /** A request of a client, and a request that replaces it. */
  readonly client: Sequence
  /** The row at which a request that the engine could not read enters the table. */
  readonly refused: number
  /** The row at which a request with a complete response enters the table. */
  readonly deliver: number
  /** A sub-request that is looked up. */
  readonly lookup: Sequence
  readonly lookupUri: number
  readonly lookupFile: number
  /** A sub-request that was looked up and is run. */
  readonly run: Sequence
  /** A request that another server received: it is looked up like a client's, and so is one that replaces it. */
  readonly asked: Sequence
  /** A request that replaces a sub-request: it is looked up and run. */
  readonly redirectedSub: Sequence
}

/** @param rows the table up to the response, top to bottom */
export function compileSequences(rows: readonly Phase[]): Sequences {
  const at = (name: string): number => indexOfRow(rows, name)
  const challenge = at('noteAuthFailure')
  const lookup = [...rows.slice(at('normaliseUri'), at('insertNamedFilters')), rows[challenge]]
  return {
    client: compileSequence(rows),
    refused: at(HANDLED),
    deliver: at('claimAnswer'),
    lookup: compileSequence(lookup),
    lookupUri: indexOfRow(lookup, 'normaliseUri'),
    lookupFile: indexOfRow(lookup, 'forgetUriSections'),
    run: compileSequence(rows.slice(at('insertNamedFilters'), at(HANDLED))),
    asked: compileSequence([...rows.slice(0, at('insertNamedFilters')), rows[challenge]]),
    redirectedSub: compileSequence(rows.slice(at('postReadRequest'), at(HANDLED))),
  }
}
