import { escapeHtml, escapeRelativeUri } from '@gatewright/api/text'
import type { ListingChoice } from './client-query.ts'
import type { AutoindexConfig, Column } from './config.ts'
import type { Entry } from './entry.ts'
import { BLANK_NAME, valueForName } from './file-rules.ts'
import { STANDARD_WIDTH, SUPPRESS_COLUMN_SORTING, TABLE, XHTML } from './index-options.ts'

/** The input of all three forms of a listing. */
export interface Listing {
  readonly entries: readonly Entry[]
  readonly config: Readonly<AutoindexConfig>
  readonly choice: ListingChoice
}

/** Cost of a line, in microseconds. */
export const STEPS_OF_A_LINE = 4

/** The URL of an entry, escaped for an attribute. */
export function linkTo(entry: Entry): string {
  return escapeHtml(escapeRelativeUri(entry.name))
}

export function shownName(entry: Entry): string {
  return entry.isParent ? 'Parent Directory' : entry.name
}

/** A name cut to the width of its column and escaped, and the blanks that fill the column. */
export function fittedName(name: string, width: number): { readonly markup: string; readonly padding: string } {
  // A column narrower than the mark crashes httpd.
  if (name.length <= width || width < CUT_MARK.length)
    return { markup: escapeHtml(name), padding: ' '.repeat(Math.max(0, width - name.length)) }
  return { markup: escapeHtml(name.slice(0, width - CUT_MARK.length) + CUT_MARK), padding: '' }
}

const CUT_MARK = '..>'

/** Width of the column of names, in characters. */
export function nameWidth({ entries, config, choice }: Listing): number {
  const width = config.nameWidth?.characters ?? STANDARD_WIDTH
  if (config.nameWidth?.fit !== 'grow' || (choice.options & TABLE) !== 0) return width
  return entries.reduce((widest, { name }) => Math.max(widest, name.length), width)
}

/**
 * A word of the heading. If clients may sort, it links to the listing sorted by its column, or in reverse if
 * it already is.
 */
export function headingWord({ choice }: Listing, word: string, column: Column): string {
  if ((choice.options & SUPPRESS_COLUMN_SORTING) !== 0) return word
  const direction = choice.column === column && choice.direction === 'A' ? 'D' : 'A'
  return `<a href="?C=${column};O=${direction}${choice.carried}">${word}</a>`
}

/** The transparent icon of the heading, as large as the others; null if none is configured. */
export function blankIcon(listing: Listing, alt: string): string | null {
  const url = valueForName(listing.config.icons, BLANK_NAME)
  return url === null ? null : image(listing, url, alt)
}

/** The icon of an entry; null if none is configured. */
export function entryIcon(listing: Listing, entry: Entry): string | null {
  const url = entry.icon ?? listing.config.defaultIcon
  return url === undefined ? null : image(listing, url, `[${entry.alt ?? '   '}]`)
}

function image({ config, choice }: Listing, url: string, alt: string): string {
  const width = config.iconWidth ? ` width="${config.iconWidth}"` : ''
  const height = config.iconHeight ? ` height="${config.iconHeight}"` : ''
  return `<img src="${escapeHtml(url)}" alt="${alt}"${width}${height}${emptyEnd(choice.options)}`
}

/** The end of an empty element's tag. */
export function emptyEnd(options: number): string {
  return (options & XHTML) !== 0 ? ' />' : '>'
}
