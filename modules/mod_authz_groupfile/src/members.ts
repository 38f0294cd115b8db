/**
 * The members of a group: words by the configuration's quoting rules, so that `"al ice"` is one member. Commas separate nothing.
 * @param text bytes, one character each: what the language calls white space beyond ASCII is part of a name
 */
export function membersOf(text: string): string[] {
  const members: string[] = []
  let at = afterBlanks(text, 0)
  while (at < text.length) {
    const quote = text[at] === '"' || text[at] === "'" ? text[at] : ''
    const start = at + quote.length
    const end = quote === '' ? endOfWord(text, start) : endOfQuoted(text, start, quote)
    members.push(withoutEscapes(text.slice(start, end), quote))
    at = afterBlanks(text, end + quote.length)
  }
  return members
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text[at])) at++
  return at
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBlank(text[at])) at++
  return at
}

/** Where the closing quote stands, or the text ends. */
function endOfQuoted(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length && text[at] !== quote) at += isEscape(text, at, quote) ? 2 : 1
  return Math.min(at, text.length)
}

function isEscape(text: string, at: number, quote: string): boolean {
  const next = text[at + 1]
  return text[at] === '\\' && (next === '\\' || (quote !== '' && next === quote))
}

function withoutEscapes(text: string, quote: string): string {
  if (!text.includes('\\')) return text
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    if (isEscape(text, at, quote)) at++
    plain += text[at]
  }
  return plain
}

function isBlank(character: string): boolean {
  return ' \t\n\v\f\r'.includes(character)
}
