import type { ModuleLog, Request } from '@gatewright/api'
import type { Doctype, ProxyHtmlConfig } from './config.ts'
import { type HtmlElement, htmlElement } from './html-element.ts'
import type { HtmlHandler } from './html-parser.ts'
import { ItemTooLong } from './html-parser.ts'
import type { Attribute } from './tag.ts'
import { lowerCase, mapEvent, mapLink, mapScript, type UrlRule } from './url-map.ts'

/** Writes a document again, with other URLs. */
export class HtmlWriter implements HtmlHandler {
  readonly #request: Request
  readonly #log: ModuleLog
  readonly #config: Readonly<ProxyHtmlConfig>
  readonly #doctype: Doctype
  readonly #rules: readonly UrlRule[]
  readonly #limit: number
  #made = ''
  /** The script so far, when URLs in it are mapped. */
  #script = ''

  /** @param limit the longest script whose URLs are mapped, in bytes */
  constructor(
    request: Request,
    log: ModuleLog,
    config: Readonly<ProxyHtmlConfig>,
    doctype: Doctype,
    rules: readonly UrlRule[],
    limit: number,
  ) {
    this.#request = request
    this.#log = log
    this.#config = config
    this.#doctype = doctype
    this.#rules = rules
    this.#limit = limit
  }

  /** What was written since the last call. */
  take(): string {
    const made = this.#made
    this.#made = ''
    return made
  }

  startElement(name: string, attributes: readonly Attribute[]): void {
    const element = htmlElement(name)
    if (this.#isDropped(name, element)) return
    this.#made += `<${name}`
    for (const { name: attribute, value } of attributes) {
      if (element !== undefined && !this.#admits(name, element, attribute)) continue
      this.#made += value === null ? ` ${attribute}` : ` ${attribute}="${escaped(this.#mapped(name, attribute, value))}"`
    }
    this.#made += element?.empty === true ? this.#doctype.emptyTagEnd : '>'
    if (element !== undefined && this.#doctype.admits !== 'all') this.#reportMissing(name, element, attributes)
  }

  endElement(name: string): void {
    if (this.#script !== '') {
      this.#made += mapScript(this.#script, this.#rules)
      this.#script = ''
    }
    const element = htmlElement(name)
    if (!this.#isUnwanted(element) && element?.empty !== true) this.#made += `</${name}>`
  }

  text(text: string): void {
    this.#made += escaped(text)
  }

  /** @throws ItemTooLong */
  script(text: string): void {
    if (!this.#config.extended) this.#made += text
    else if (this.#script.length + text.length > this.#limit) throw new ItemTooLong()
    else this.#script += text
  }

  comment(text: string): void {
    if (this.#config.stripsComments) return
    const whole = `<!--${text}-->`
    this.#made += this.#config.extended ? mapScript(whole, this.#rules) : whole
  }

  #isUnwanted(element: HtmlElement | undefined): boolean {
    const { admits } = this.#doctype
    return admits !== 'all' && (element === undefined || (admits === 'current' && element.deprecated))
  }

  #isDropped(name: string, element: HtmlElement | undefined): boolean {
    if (!this.#isUnwanted(element)) return false
    if (this.#doctype.admits === 'known') this.#debug('AH01417', `Deprecated HTML element ${name} dropped`)
    else this.#debug('AH01416', `Bogus HTML element ${name} dropped`)
    return true
  }

  #admits(name: string, element: HtmlElement, attribute: string): boolean {
    const { admits } = this.#doctype
    if (admits === 'all' || element.attributes.has(attribute) || element.requiredAttributes.has(attribute)) return true
    if (admits === 'known' && element.deprecatedAttributes.has(attribute)) {
      this.#debug('AH01419', `Deprecated HTML attribute ${attribute} of ${name} dropped`)
    } else this.#debug('AH01418', `Bogus HTML attribute ${attribute} of ${name} dropped`)
    return false
  }

  #reportMissing(name: string, { requiredAttributes }: HtmlElement, attributes: readonly Attribute[]): void {
    const missing = requiredAttributes.size - attributes.filter((one) => requiredAttributes.has(one.name)).length
    if (missing > 0) this.#debug('AH01420', `HTML element ${name} is missing ${missing} required attributes`)
  }

  #mapped(name: string, attribute: string, value: string): string {
    const { links, events, extended, lowerCase: lowers, slashes } = this.#config
    let made = value
    if (links?.get(name)?.has(attribute) === true) made = mapLink(value, this.#rules)
    else if (extended && events?.has(attribute) === true) made = mapEvent(value, this.#rules)
    if (lowers) made = lowerCase(made)
    return slashes ? made.replaceAll('\\', '/') : made
  }

  #debug(code: string, text: string): void {
    this.#log.write(this.#request, 'debug', code, text)
  }
}

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (char) => ESCAPES[char] ?? char) : text
}

const SPECIAL = /[&<>"]/
const ALL_SPECIAL = /[&<>"]/g
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
