import { escapeHtml } from '@gatewright/api/text'
import { knownStatus, reasonPhrase } from '../base/status-lines.ts'
import { CommonPage, CommonPages } from './common-page.ts'
import { ERROR_PAGE_STYLE } from './error-page-style.ts'
import { ERROR_PAGE_TEXTS } from './error-page-texts.ts'

/**
 * What a generated page shows. Texts are bytes, one character each, and are escaped here unless noted
 * otherwise.
 */
export interface ErrorPageInput {
  /** A status without a reason phrase is shown as 500. */
  readonly status: number
  /** The reason phrase if it is not that of the status. */
  readonly reason?: string | null
  readonly method: string
  /** True for the start page of the site, which needs no link to itself. */
  readonly isHome: boolean
  /** The Expect field of the request, for 417. */
  readonly expect?: string
  /** Where a redirect leads. */
  readonly location?: string
  /**
   * The known cause (`error-notes`), '' if there is none. Never shown with 500, whose causes appear only in
   * the log.
   */
  readonly note: string
  /** HTML: the available variants, shown with 300 and 406; '' if there are none. */
  readonly variants: string
  /** ServerAdmin, shown with 500. */
  readonly serverAdmin: string | null
  /** The status shown if the ErrorDocument could not be served either. */
  readonly recursiveStatus: number | null
  /** HTML for the footer of the page, with its line end, or ''. */
  readonly signature: string
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** One memory for all servers of a process: pages differ by signature and location. */
export const COMMON_PAGES: CommonPages = new CommonPages()

/** The built-in page for a status: HTML in ISO-8859-1, laid out as httpd's pages are. */
export function errorPage(input: ErrorPageInput): string {
  const status = knownStatus(input.status)
  if (!isCommon(status, input)) return makePage(status, input)
  const location = REDIRECTS.has(status) ? input.location : undefined
  const last = COMMON_PAGES.find(status, input.signature, location)
  if (last !== undefined) return last.text
  const text = makePage(status, input)
  COMMON_PAGES.keep(status, new CommonPage(text, input.signature, location))
  return text
}

/** True if nothing but status, signature and location has an effect on the page, unless it is about the start page. */
function isCommon(status: number, { note, variants, recursiveStatus, isHome, reason = null }: ErrorPageInput): boolean {
  if (isHome || reason !== null || note !== '' || variants !== '' || recursiveStatus !== null) return false
  return status === 403 || status === 404 || status === 401 || REDIRECTS.has(status)
}

function makePage(status: number, input: ErrorPageInput): string {
  // A reason of another server is shown with its status, also if the status has no meaning of its own.
  const ownReason = input.reason !== undefined && input.reason !== null && /^[0-9A-Za-z]/.test(input.reason) ? input.reason : null
  const phrase = ownReason === null ? reasonPhrase(status) : escapeHtml(ownReason)
  const shown = ownReason === null ? status : input.status
  return (
    '<!DOCTYPE html>\n<html lang="en"><head>\n' +
    `<title>${shown} ${phrase}</title>\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    `<style>${ERROR_PAGE_STYLE}</style>\n</head><body>\n<main>\n<p class="status">${shown}</p>\n<h1>${phrase}</h1>\n` +
    paragraph(ERROR_PAGE_TEXTS.get(status) ?? '') +
    details(status, input) +
    (status === 300 || status === 406 ? input.variants : '') +
    (status === 500 ? '' : paragraph(escapeHtml(input.note))) +
    secondError(input.recursiveStatus) +
    wayOn(status, input) +
    `</main>\n${input.signature}</body></html>\n`
  )
}

/** For visitors who followed a link to nowhere: the start of the site. */
function wayOn(status: number, { isHome }: ErrorPageInput): string {
  return !isHome && (status === 403 || status === 404 || status === 410)
    ? paragraph('<a href="/">To the start page of this site</a>')
    : ''
}

function paragraph(content: string): string {
  return content === '' ? '' : `<p>${content}</p>\n`
}

/** The part of a page that is specific to one status. */
function details(status: number, { method, expect, location, serverAdmin }: ErrorPageInput): string {
  switch (status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return location === undefined ? '' : paragraph(`Continue at ${link(location)}`)
    case 405:
    case 413:
    case 501:
      return method === '' ? '' : paragraph(`The method of the request was ${escapeHtml(method)}.`)
    case 417:
      return expect === undefined ? '' : `<p>It says:</p>\n<pre>\nExpect: ${escapeHtml(expect)}\n</pre>\n`
    case 500: {
      const whom = serverAdmin === null ? 'the administrator of this site' : escapeHtml(serverAdmin)
      return paragraph(
        `If it happens again, please report to ${whom} when it happened and what you were doing. The error log has the details.`,
      )
    }
    default:
      return ''
  }
}

/**
 * Only URLs that lead to another page become links: a script in a link would run with the rights of this
 * site.
 */
function link(location: string): string {
  const shown = escapeHtml(location)
  return /^(?:\/|(?:https?|ftp):\/\/)/i.test(location) ? `<a href="${shown}">${shown}</a>` : shown
}

function secondError(status: number | null): string {
  if (status === null) return ''
  const shown = knownStatus(status)
  return paragraph(
    `The page that should explain this could not be shown:\nthe attempt ended with ${shown} ${reasonPhrase(shown)}.`,
  )
}
