import { escapeUriPath } from '@gatewright/api/text'
import type { AutoindexConfig, Column, Direction } from './config.ts'
import { FANCY, IGNORE_CLIENT, SUPPRESS_COLUMN_SORTING, TABLE, VERSION_SORT } from './index-options.ts'
import type { Order } from './order.ts'

/** The appearance of a listing. */
export interface ListingChoice extends Order {
  readonly options: number
  /** Shell pattern for the names to list; null for all. */
  readonly namePattern: string | null
  /** Arguments that links in the heading append to `?C=N;O=A`. */
  readonly carried: string
}

/** The choice of the configuration, modified by the query if clients may do that. */
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

/** Applies arguments separated by `;` or `&`, up to the first one that is not recognized. */
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
      // As in httpd, a pattern remains in the links if a later argument has none.
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

/** Decodes %hh; null for malformed text, and for text that decodes to a slash or a null byte. */
function decodeQuery(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})|%2[fF]|%00/.test(text)) return null
  return text.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
