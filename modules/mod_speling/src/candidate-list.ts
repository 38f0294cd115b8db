import type { Request } from '@gatewright/api'
import { escapeHtml, escapeUriPath } from '@gatewright/api/text'
import type { Candidate } from './candidates.ts'

/** The list on the page for status 300, in HTML. */
export function candidateList(
  { uri, pathInfo, args, headersIn }: Request,
  url: string,
  candidates: readonly Candidate[],
): string {
  const query = args === null ? '' : `?${args}`
  const item = ({ name, how }: Candidate): string => {
    const path = url + name + pathInfo
    return `<li><a href="${escapeHtml(escapeUriPath(path) + query)}">${escapeHtml(path + query)}</a> (${how})\n`
  }
  const close = candidates.filter(({ how }) => how !== 'common basename').map(item)
  const related = candidates.filter(({ how }) => how === 'common basename').map(item)
  const referer = headersIn.get('Referer')
  return [
    `<p>There is no document <code>${escapeHtml(uri)}</code> on this server. Documents with similar names:</p>\n`,
    listOf(close),
    close.length > 0 && related.length > 0 ? '<p>Related documents:</p>\n' : '',
    listOf(related),
    referer === undefined ? '' : `<p>The link is on the page <code>${escapeHtml(referer)}</code>. Please inform its owner.</p>\n`,
  ].join('')
}

function listOf(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>\n${items.join('')}</ul>\n`
}
