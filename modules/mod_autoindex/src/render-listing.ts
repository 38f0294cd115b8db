import { escapeHtml } from '@gatewright/api/text'
import { fancyList } from './fancy-list.ts'
import { FANCY, TABLE } from './index-options.ts'
import { type Listing, linkTo, STEPS_OF_A_LINE, shownName } from './listing.ts'
import { tableList } from './table-list.ts'

/** Renders the listing in one of its three forms. In steps for `inTurns`. */
export function* renderListing(listing: Listing): Generator<number, string> {
  const { options } = listing.choice
  if ((options & TABLE) !== 0) return yield* tableList(listing)
  return (options & FANCY) !== 0 ? yield* fancyList(listing) : yield* plainList(listing)
}

function* plainList({ entries }: Listing): Generator<number, string> {
  let text = '<ul>'
  for (const entry of entries) {
    yield STEPS_OF_A_LINE
    text += `<li><a href="${linkTo(entry)}"> ${escapeHtml(shownName(entry))}</a></li>\n`
  }
  return `${text}</ul>\n`
}
