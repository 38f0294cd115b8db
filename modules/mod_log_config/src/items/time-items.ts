import type { LogItem, Request, Transaction } from '@gatewright/api'
import { createClfClock, createStrftimeClock } from '@gatewright/api/text'
import type { ItemDefinition } from '../compile-format.ts'

/** Times and durations: `%t %T %D`. */
export const timeItems: readonly (readonly [string, ItemDefinition])[] = [
  ['t', { make: timeItem, subject: 'final' }],
  ['T', { make: durationItem, subject: 'original' }],
  ['D', { make: () => microseconds, subject: 'original' }],
]

const microseconds: LogItem = (_request, { durationUs }) => String(durationUs)

/** `%T` in seconds, or in the unit given as argument; any other word is printed unchanged. */
function durationItem(argument: string): LogItem {
  switch (argument.toLowerCase()) {
    case '':
    case 's':
      return (_request, { durationUs }) => String(Math.floor(durationUs / 1_000_000))
    case 'ms':
      return (_request, { durationUs }) => String(Math.floor(durationUs / 1000))
    case 'us':
      return microseconds
    default:
      return () => argument
  }
}

type Moment = (request: Request, transaction: Transaction) => number

const begin: Moment = (request) => request.receivedAt
const end: Moment = (_request, transaction) => transaction.endedAt

/** `%t`: `begin` or `end` selects the time, alone or before a colon and a format. */
function timeItem(argument: string): LogItem {
  const [, choice, form = ''] = /^(begin|end)(?::(.*))?$/s.exec(argument) ?? [argument, 'begin', argument]
  const moment = choice === 'end' ? end : begin
  switch (form) {
    case '':
      return textOf(moment, createClfClock())
    case 'sec':
      return (request, transaction) => String(Math.floor(wholeMicroseconds(moment(request, transaction)) / 1_000_000))
    case 'msec':
      return (request, transaction) => String(Math.floor(wholeMicroseconds(moment(request, transaction)) / 1000))
    case 'usec':
      return (request, transaction) => String(wholeMicroseconds(moment(request, transaction)))
    case 'msec_frac':
      return (request, transaction) =>
        String(1000 + (Math.floor(wholeMicroseconds(moment(request, transaction)) / 1000) % 1000)).slice(1)
    case 'usec_frac':
      return (request, transaction) => String(1_000_000 + (wholeMicroseconds(moment(request, transaction)) % 1_000_000)).slice(1)
    default:
      return form.includes('%') ? textOf(moment, createStrftimeClock(form)) : () => form
  }
}

/** Each item has its own clock, which formats each second once. */
function textOf(moment: Moment, clock: (ms: number) => string): LogItem {
  return (request, transaction) => clock(moment(request, transaction))
}

/**
 * Milliseconds with a fraction, as whole microseconds. The result is exact, because 53 bits are more than
 * enough.
 */
function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1000)
}
