import { escapeHtml, escapeUriPath } from '@gatewright/api/text'
import type { MapLine } from './map-line.ts'
import { RESULTS } from './map-urls.ts'

const DOCTYPE = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">'

/** The page that lists the links of a map, formatted as httpd's. */
export class Menu {
  readonly #format: string
  #html: string

  /** @param format the value of ImapMenu; one that httpd does not know gives a page without links */
  constructor(format: string, uri: string) {
    this.#format = format.toLowerCase()
    const title = `Menu for ${escapeHtml(uri)}`
    this.#html = `${DOCTYPE}\n<html><head>\n<title>${title}</title>\n</head><body>\n`
    if (this.#format === 'formatted') this.#html += `<h1>${title}</h1>\n<hr />\n\n`
  }

  addBlank(): void {
    this.#add({ formatted: '\n', semiformatted: '<br />\n', unformatted: '\n' })
  }

  addComment({ text }: MapLine & { readonly kind: 'comment' }): void {
    // Comments of maps may contain HTML for the page.
    this.#add({ formatted: '\n', semiformatted: `${text}\n`, unformatted: `${text}\n` })
  }

  addLink(href: string, text: string, place: 'default' | 'area'): void {
    if (RESULTS.has(href.toLowerCase())) return
    const link = `<a href="${escapeHtml(escapeUriPath(href))}">${escapeHtml(text)}</a>`
    const line = `<pre>${place === 'default' ? '(Default)' : '         '} ${link}</pre>\n`
    this.#add({ formatted: line, semiformatted: line, unformatted: link })
  }

  addFailure(): void {
    this.#html += '\n\n[an internal server error occured]\n'
  }

  end(): string {
    return `${this.#html}\n\n</body>\n</html>\n`
  }

  #add(texts: Readonly<Record<string, string>>): void {
    if (Object.hasOwn(texts, this.#format)) this.#html += texts[this.#format]
  }
}
