/** Escapes `&`, `<`, `>` and `"` as httpd's pages do. `'` stays: attributes are written in double quotes. */
export function escapeHtml(text: string): string {
  let escaped = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const entity = entityOf(text.charCodeAt(i))
    if (entity === '') continue
    escaped += text.slice(copied, i) + entity
    copied = i + 1
  }
  return copied === 0 ? text : escaped + text.slice(copied)
}

/** Markup that is already safe; `toString()` gives its text. Made by `html` and `raw` only. */
export interface Html {
  /** The text; nobody else can make one. */
  readonly [markup]: string
  /** The markup. */
  toString(): string
}

/** What may stand in a template's gap: text and numbers are escaped, `Html` is not, lists are joined without a separator. */
export type HtmlValue = string | number | Html | readonly HtmlValue[]

/** Builds markup from a template, escaping every value that is not `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (let i = 0; i < values.length; i++) text += renderValue(values[i]) + (strings[i + 1] ?? '')
  return raw(text)
}

/** Vouches for markup that the caller has escaped. */
export function raw(text: string): Html {
  return { [markup]: text, toString: textOfThis }
}

/** Registered symbol, because every module bundles its own copy of these functions. */
const markup: unique symbol = Symbol.for('gatewright.html')

/** Tells markup made by `html` or `raw`, in whichever copy of this package, from other values. */
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
