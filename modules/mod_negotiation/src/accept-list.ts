import { parseQuality } from './quality.ts'

/** One item of an Accept field, or a media type with its parameters, in lower case. */
export interface AcceptItem {
  readonly name: string
  readonly quality: number
  readonly level: number
  readonly charset: string
}

/** The items of a field; null without the field, which differs from a field without items. */
export function parseAcceptList(field: string | undefined): readonly AcceptItem[] | null {
  if (field === undefined) return null
  const reader = new ItemReader(field)
  const items: AcceptItem[] = []
  while (!reader.atEnd) items.push(reader.item())
  return items
}

/** The first item of a text: a type map's Content-Type, or the known type of a file. */
export function parseMediaType(text: string): AcceptItem {
  return new ItemReader(text).item()
}

/** The first word of a list, up to a blank, comma or semicolon. */
export function firstToken(text: string): string {
  return new ItemReader(text).token('ends at blanks')
}

/** The words of a list, separated by commas or blanks. */
export function parseWords(text: string): string[] {
  return (parseAcceptList(text) ?? []).map(({ name }) => name).filter((name) => name !== '')
}

/** Default levels of media types, by httpd's oldest convention. */
const STANDARD_LEVELS: ReadonlyMap<string, number> = new Map([
  ['text/html', 2],
  ['text/x-server-parsed-html', 2],
  ['text/x-server-parsed-html3', 3],
])

/** Parses any list as httpd does: blanks separate items as commas do, and quotes protect both. */
class ItemReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  item(): AcceptItem {
    const name = this.token('ends at blanks').toLowerCase()
    let quality = 1
    let level = STANDARD_LEVELS.get(name) ?? 0
    let charset = ''
    while (this.#text[this.#at] === ';') {
      this.#at++
      const parameter = splitParameter(this.token('continues after blanks'))
      if (parameter === null) continue
      if (parameter.name === 'q' || parameter.name === 'qs') quality = parseQuality(parameter.value)
      else if (parameter.name === 'level') level = Number.parseInt(parameter.value, 10) || 0
      else if (parameter.name === 'charset') charset = parameter.value
    }
    if (this.#text[this.#at] === ',') this.#at++
    return { name, quality, level, charset }
  }

  token(blanks: 'ends at blanks' | 'continues after blanks'): string {
    const text = this.#text
    while (isBlank(text.charCodeAt(this.#at))) this.#at++
    const start = this.#at
    let at = start
    for (; at < text.length; at++) {
      const character = text[at]
      if (character === ';' || character === ',') break
      if (blanks === 'ends at blanks' && isBlank(text.charCodeAt(at))) break
      if (character === '"') {
        const close = text.indexOf('"', at + 1)
        at = close < 0 ? text.length - 1 : close
      }
    }
    let end = at
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    while (isBlank(text.charCodeAt(at))) at++
    this.#at = at
    return text.slice(start, end)
  }
}

/** `name = value`, where the value ends at a blank or is in quotes; null without `=`. */
function splitParameter(text: string): { readonly name: string; readonly value: string } | null {
  const parts = /^([^\s=]*)[\s=]+(?:"([^"\n\r]*)|(\S*))/.exec(text)
  if (parts === null) return null
  return { name: parts[1].toLowerCase(), value: (parts[2] ?? parts[3] ?? '').toLowerCase() }
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
