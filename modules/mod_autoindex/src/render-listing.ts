import { escapeHtml } from '@gatewright/api'
import { fancyList } from './fancy-list.ts'
import { FANCY, TABLE } from './index-options.ts'
import { type Listing, linkTo, shownName } from './listing.ts'
import { tableList } from './table-list.ts'

/** The listing itself, in one of its three forms. */
export function renderListing(listing: Listing): string {
  const { options } = listing.choice
  if ((options & TABLE) !== 0) return tableList(listing)
  return (options & FANCY) !== 0 ? fancyList(listing) : plainList(listing)
}

function plainList({ entries }: Listing): string {
  let text = '<ul>'
  for (const entry of entries) text += `<li><a href="${linkTo(entry)}"> ${escapeHtml(shownName(entry))}</a></li>\n`
  return `${text}</ul>\n`
}
