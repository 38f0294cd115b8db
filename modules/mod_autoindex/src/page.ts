import type { Work } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'
import type { AutoindexConfig } from './config.ts'
import { SUPPRESS_PREAMBLE, XHTML } from './index-options.ts'
import type { Insert } from './insert.ts'

const HTML_START = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html>\n'
const XHTML_START =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"\n"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">\n'

/** Everything above the listing. The file of HeaderName replaces the heading. */
export function pageTop(uri: string, config: Readonly<AutoindexConfig>, options: number, header: Insert | null): Insert[] {
  const title = escapeHtml(uri.replace(/(?<=.)\/+$/, ''))
  // With SuppressHTMLPreamble the file begins the document, provided that it is markup.
  const whole = header?.kind === 'markup' && (options & SUPPRESS_PREAMBLE) !== 0
  const start = whole ? '' : preamble(title, config, options)
  if (header !== null) return [markup(start), ...inserted(header)]
  const heading = config.styleSheet === undefined ? '<h1>' : '  <h1 id="indextitle">'
  return [markup(`${start}${heading}Index of ${title}</h1>\n`)]
}

/** Everything below the listing. The file of ReadmeName replaces the server's signature. */
export function pageBottom(options: number, readme: Insert | null, signature: string): Insert[] {
  const end = '</body></html>\n'
  if (readme === null) return [markup(signature + end)]
  const whole = readme.kind === 'markup' && (options & SUPPRESS_PREAMBLE) !== 0
  return [...inserted(readme), markup(whole ? '' : end)]
}

function preamble(title: string, config: Readonly<AutoindexConfig>, options: number): string {
  const xhtml = (options & XHTML) !== 0
  let text = `${xhtml ? XHTML_START : HTML_START} <head>\n  <title>Index of ${title}</title>\n`
  if (config.styleSheet !== undefined) {
    text += `  <link rel="stylesheet" href="${config.styleSheet}" type="text/css"${xhtml ? ' /' : ''}>\n`
  }
  return `${text}${config.headInsert ?? ''} </head>\n <body>\n`
}

function inserted(insert: Insert): Insert[] {
  return insert.kind === 'markup' ? [insert] : [markup('<pre>\n'), insert, markup('</pre>\n')]
}

/** A part of the page that is not escaped. */
export function markup(content: string): Insert {
  return { kind: 'markup', content }
}

/** Cost of a piece, in microseconds. */
const STEPS_OF_A_PIECE = 400
const PIECE = 64 * 1024

/** The text of a page in pieces, between which other requests are served. */
export async function* pieces(parts: readonly Insert[], work: Work): AsyncGenerator<string> {
  for (const { kind, content } of parts) {
    for (let at = 0; at < content.length; at += PIECE) {
      if (work.spend(STEPS_OF_A_PIECE)) await work.pause()
      const piece = content.slice(at, at + PIECE)
      yield kind === 'markup' ? piece : escapeText(piece)
    }
  }
}

/** The text of a short page. */
export function wholePage(parts: readonly Insert[]): string {
  return parts.map(({ kind, content }) => (kind === 'markup' ? content : escapeText(content))).join('')
}

/** Does not escape quotes, like httpd. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
