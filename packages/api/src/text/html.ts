import { isByteText } from './bytes.ts'

/**
 * Escapes `&`, `<`, `>` and `"` like httpd's pages. `'` is kept, because attributes use double quotes.
 * Characters above U+00FF become numeric references, so that the result has one byte per character; half of a
 * surrogate pair becomes U+FFFD.
 */
export function escapeHtml(text: string): string {
  return escapeWith(text, true)
}

/** @param markup false to keep `&`, `<`, `>` and `"` */
function escapeWith(text: string, markup: boolean): string {
  let escaped = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0xff) {
      const point = text.codePointAt(i) ?? code
      escaped += `${text.slice(copied, i)}&#${isLoneSurrogate(point) ? REPLACEMENT : point};`
      // A surrogate pair takes two units of the text.
      if (point > 0xffff) i++
    } else {
      const entity = markup ? entityOf(code) : ''
      if (entity === '') continue
      escaped += text.slice(copied, i) + entity
    }
    copied = i + 1
  }
  return copied === 0 ? text : escaped + text.slice(copied)
}

/** U+FFFD, the substitute for an invalid character. */
const REPLACEMENT = 0xfffd

function isLoneSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff
}

/** Markup that is already safe; `toString()` returns its text. Made only by `html` and `raw`. */
export interface Html {
  /** The text. Only this module can create one. */
  readonly [markup]: string
  /** The markup. */
  toString(): string
}

/**
 * The values allowed in a template: text and numbers are escaped, `Html` is not, lists are joined without a
 * separator.
 */
export type HtmlValue = string | number | Html | readonly HtmlValue[]

/**
 * Builds markup from a template, escaping every value that is not `Html` itself. Characters above U+00FF
 * become numeric references, including those of the template: text that must stay unchanged, such as a
 * script, is marked as safe with `raw`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = literal(strings[0])
  for (let i = 0; i < values.length; i++) text += renderValue(values[i]) + literal(strings[i + 1])
  return raw(text)
}

function literal(text: string = ''): string {
  return isByteText(text) ? text : escapeWith(text, false)
}

/**
 * Marks markup that the caller has escaped as safe. It may contain characters above U+00FF;
 * `Request.sendText` sends them.
 */
export function raw(text: string): Html {
  return { [markup]: text, toString: textOfThis }
}

/** A registered symbol, because every module bundles its own copy of these functions. */
const markup: unique symbol = Symbol.for('gatewright.html')

/** Distinguishes markup made by `html` or `raw`, in any copy of this package, from other values. */
export function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && markup in value
}

function textOfThis(this: Html): string {
  return this[markup]
}

function renderValue(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (isHtml(value)) return value[markup]
  let text = ''
  for (const part of value) text += renderValue(part)
  return text
}

function entityOf(code: number): string {
  switch (code) {
    case 0x22:
      return '&quot;'
    case 0x26:
      return '&amp;'
    case 0x3c:
      return '&lt;'
    case 0x3e:
      return '&gt;'
    default:
      return ''
  }
}
