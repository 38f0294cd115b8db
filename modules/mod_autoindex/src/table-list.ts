import { escapeHtml, sizeText } from '@gatewright/api/text'
import { dateText } from './date-text.ts'
import { cutDescription, descriptionLimit } from './description.ts'
import type { Entry } from './entry.ts'
import {
  ALT_CLASS,
  ICONS_ARE_LINKS,
  SUPPRESS_DESCRIPTION,
  SUPPRESS_ICON,
  SUPPRESS_LAST_MODIFIED,
  SUPPRESS_RULES,
  SUPPRESS_SIZE,
} from './index-options.ts'
import {
  blankIcon,
  emptyEnd,
  entryIcon,
  fittedName,
  headingWord,
  type Listing,
  linkTo,
  nameWidth,
  STEPS_OF_A_LINE,
  shownName,
} from './listing.ts'

/**
 * Renders HTMLTable: cells have classes with a style sheet, else the attributes of old HTML. In steps for
 * `inTurns`.
 */
export function* tableList(listing: Listing): Generator<number, string> {
  const { options } = listing.choice
  const styled = listing.config.styleSheet !== undefined
  const width = nameWidth(listing)
  const limit = descriptionLimit(listing.config.descriptionWidth, options)
  const headings = headingCells(listing, styled)
  const rule =
    (options & SUPPRESS_RULES) === 0
      ? `   <tr${styled ? ' class="indexbreakrow"' : ''}><th colspan="${headings.length}"><hr${emptyEnd(options)}</th></tr>\n`
      : ''
  let text = styled ? '  <table id="indexlist">\n   <tr class="indexhead">' : '  <table>\n   <tr>'
  text += `${headings.join('')}</tr>\n${rule}`
  for (const [index, entry] of listing.entries.entries()) {
    yield STEPS_OF_A_LINE
    text += rowStart(listing, entry, index, styled) + cells(listing, entry, width, limit, styled)
  }
  return `${text}${rule}</table>\n`
}

function headingCells(listing: Listing, styled: boolean): string[] {
  const { options } = listing.choice
  const cell = (column: string, content: string): string => `<th${styled ? ` class="indexcol${column}"` : ''}>${content}</th>`
  const made: string[] = []
  if ((options & SUPPRESS_ICON) === 0) {
    const icon = blankIcon(listing, '[ICO]') ?? '&nbsp;'
    made.push(styled ? cell('icon', icon) : `<th valign="top">${icon}</th>`)
  }
  made.push(cell('name', headingWord(listing, 'Name', 'N')))
  if ((options & SUPPRESS_LAST_MODIFIED) === 0) made.push(cell('lastmod', headingWord(listing, 'Last modified', 'M')))
  if ((options & SUPPRESS_SIZE) === 0) made.push(cell('size', headingWord(listing, 'Size', 'S')))
  if ((options & SUPPRESS_DESCRIPTION) === 0) made.push(cell('desc', headingWord(listing, 'Description', 'D')))
  return made
}

function rowStart({ choice }: Listing, entry: Entry, index: number, styled: boolean): string {
  if (!styled) return '<tr>'
  const kind = (choice.options & ALT_CLASS) === 0 || entry.alt === null ? '' : `-${entry.alt.toLowerCase()}`
  return `   <tr class="${index % 2 === 0 ? 'even' : 'odd'}${kind}">`
}

function cells(listing: Listing, entry: Entry, width: number, limit: number, styled: boolean): string {
  const { options } = listing.choice
  const cell = (column: string, attributes: string, content: string): string =>
    `<td${styled ? ` class="indexcol${column}"` : attributes}>${content}</td>`
  const link = linkTo(entry)
  let text = ''
  if ((options & SUPPRESS_ICON) === 0) {
    const icon = entryIcon(listing, entry) ?? '&nbsp;'
    text += cell('icon', ' valign="top"', (options & ICONS_ARE_LINKS) === 0 ? icon : `<a href="${link}">${icon}</a>`)
  }
  const { markup, padding } = nameCell(listing, shownName(entry), width)
  text += cell('name', '', `<a href="${link}">${markup}</a>${padding}`)
  if ((options & SUPPRESS_LAST_MODIFIED) === 0) {
    text +=
      entry.modifiedMs < 0
        ? cell('lastmod', '', '&nbsp;')
        : cell('lastmod', ' align="right"', `${dateText(entry.modifiedMs, listing.config.dateFormat)}  `)
  }
  if ((options & SUPPRESS_SIZE) === 0) text += cell('size', ' align="right"', sizeText(entry.size))
  if ((options & SUPPRESS_DESCRIPTION) === 0) text += cell('desc', '', descriptionCell(listing, entry, limit))
  return `${text}</tr>\n`
}

/** In a table, a column that grows needs no padding. */
function nameCell({ config }: Listing, name: string, width: number): { readonly markup: string; readonly padding: string } {
  return config.nameWidth?.fit === 'grow' ? { markup: escapeHtml(name), padding: '' } : fittedName(name, width)
}

function descriptionCell({ config }: Listing, { description }: Entry, limit: number): string {
  if (description === null) return '&nbsp;'
  return config.descriptionWidth?.fit === 'grow' ? description : cutDescription(description, limit)
}
