import { escapeUriPath } from '@gatewright/api/text'
import type { AutoindexConfig, Column, Direction } from './config.ts'
import { FANCY, IGNORE_CLIENT, SUPPRESS_COLUMN_SORTING, TABLE, VERSION_SORT } from './index-options.ts'
import type { Order } from './order.ts'

/** What a listing is asked to look like. */
export interface ListingChoice extends Order {
  readonly options: number
  /** Shell pattern of the names to show; null for all. */
  readonly namePattern: string | null
  /** What the links of the heading carry on behind `?C=N;O=A`. */
  readonly carried: string
}

/** The choice of the configuration, changed by the query where clients may do that. */
export function chooseListing(config: Readonly<AutoindexConfig>, query: string | null): ListingChoice {
  const standard: ListingChoice = {
    options: config.options.set,
    column: config.column ?? 'N',
    direction: config.direction ?? 'A',
    namePattern: null,
    carried: '',
  }
  if ((standard.options & IGNORE_CLIENT) !== 0) return { ...standard, options: standard.options | SUPPRESS_COLUMN_SORTING }
  return query === null ? standard : applyQuery(standard, query)
}

/** Arguments stand between `;` or `&`. The first one that is not understood ends the reading. */
function applyQuery(standard: ListingChoice, query: string): ListingChoice {
  let { options, column, direction } = standard
  let format = ''
  let version = ''
  let namePattern: string | null = null
  let carriedPattern = ''
  for (const argument of query.split(/[;&]/)) {
    const value = argument.slice(2)
    if (isColumn(argument, value)) column = value
    else if (isDirection(argument, value)) direction = value
    else if (argument === 'F=0' || argument === 'F=1' || argument === 'F=2') {
      options = withFormat(options, value)
      format = `;${argument}`
    } else if (argument === 'V=0' || argument === 'V=1') {
      options = value === '1' ? options | VERSION_SORT : options & ~VERSION_SORT
      version = `;${argument}`
    } else if (argument.startsWith('P=')) {
      namePattern = value === '' ? null : decodeQuery(value)
      // The pattern of an argument before this one is carried on if this one has none, as httpd does it.
      if (namePattern !== null) carriedPattern = `;P=${escapeUriPath(namePattern)}`
    } else break
  }
  return { options, column, direction, namePattern, carried: `${format}${version}${carriedPattern}` }
}

function isColumn(argument: string, value: string): value is Column {
  return argument.startsWith('C=') && (value === 'N' || value === 'M' || value === 'S' || value === 'D')
}

function isDirection(argument: string, value: string): value is Direction {
  return argument.startsWith('O=') && (value === 'A' || value === 'D')
}

function withFormat(options: number, format: string): number {
  if (format === '0') return options & ~(FANCY | TABLE)
  return format === '1' ? (options | FANCY) & ~TABLE : options | FANCY | TABLE
}

/** Decodes %hh; null for what is malformed, or would become a slash or the end of a C string. */
function decodeQuery(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})|%2[fF]|%00/.test(text)) return null
  return text.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
