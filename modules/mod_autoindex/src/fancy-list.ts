import { sizeText } from '@gatewright/api/text'
import { dateText } from './date-text.ts'
import { cutDescription, descriptionLimit } from './description.ts'
import type { Entry } from './entry.ts'
import {
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

const NO_DATE = ' '.repeat('2020-01-02 03:04   '.length)

/** FancyIndexing: one line of preformatted text per entry. In steps for `inTurns`. */
export function* fancyList(listing: Listing): Generator<number, string> {
  const { options } = listing.choice
  const rule = (options & SUPPRESS_RULES) === 0 ? `<hr${emptyEnd(options)}` : ''
  const width = nameWidth(listing)
  const limit = descriptionWidth(listing)
  let text = `<pre>${heading(listing, width)}${rule === '' ? '\n' : rule}`
  for (const entry of listing.entries) {
    yield STEPS_OF_A_LINE
    text += line(listing, entry, width, limit)
  }
  return `${text}${rule}</pre>\n`
}

function heading(listing: Listing, width: number): string {
  const { options } = listing.choice
  let text = ''
  if ((options & SUPPRESS_ICON) === 0) {
    const icon = blankIcon(listing, 'Icon ')
    text += icon === null ? '      ' : `${icon} `
  }
  text += `${headingWord(listing, 'Name', 'N')}${' '.repeat(Math.max(0, width - 'Name'.length))} `
  if ((options & SUPPRESS_LAST_MODIFIED) === 0) text += `${headingWord(listing, 'Last modified', 'M')}      `
  if ((options & SUPPRESS_SIZE) === 0) text += `${headingWord(listing, 'Size', 'S')}  `
  if ((options & SUPPRESS_DESCRIPTION) === 0) text += headingWord(listing, 'Description', 'D')
  return text
}

function line(listing: Listing, entry: Entry, width: number, limit: number): string {
  const { options } = listing.choice
  const link = linkTo(entry)
  let text = ''
  if ((options & SUPPRESS_ICON) === 0) {
    const icon = entryIcon(listing, entry) ?? '     '
    text += (options & ICONS_ARE_LINKS) === 0 ? `${icon} ` : `<a href="${link}">${icon}</a> `
  }
  const { markup, padding } = fittedName(shownName(entry), width)
  text += `<a href="${link}">${markup}</a>${padding} `
  if ((options & SUPPRESS_LAST_MODIFIED) === 0) {
    text += entry.modifiedMs < 0 ? NO_DATE : `${dateText(entry.modifiedMs, listing.config.dateFormat)}  `
  }
  if ((options & SUPPRESS_SIZE) === 0) text += `${sizeText(entry.size)}  `
  if ((options & SUPPRESS_DESCRIPTION) === 0 && entry.description !== null) text += cutDescription(entry.description, limit)
  return `${text}\n`
}

/** With DescriptionWidth=*, the length of the longest description. */
function descriptionWidth({ entries, config, choice }: Listing): number {
  const limit = descriptionLimit(config.descriptionWidth, choice.options)
  if (config.descriptionWidth?.fit !== 'grow') return limit
  return entries.reduce((widest, { description }) => Math.max(widest, description?.length ?? 0), limit)
}
