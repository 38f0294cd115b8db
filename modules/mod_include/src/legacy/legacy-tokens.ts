/** The kinds of tokens, of which `group` is made of parentheses. */
export type TokenKind = 'string' | 're' | 'and' | 'or' | 'not' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '(' | ')' | 'access'

export interface Token {
  readonly kind: TokenKind
  /** Of strings and patterns. */
  readonly text: string
}

const SYMBOLS: readonly (readonly [text: string, kind: TokenKind])[] = [
  ['(', '('],
  [')', ')'],
  ['==', '='],
  ['=', '='],
  ['!=', '!='],
  ['!', 'not'],
  ['||', 'or'],
  ['&&', 'and'],
  ['>=', '>='],
  ['>', '>'],
  ['<=', '<='],
  ['<', '<'],
  ['-A', 'access'],
]

/** Splits an expression into tokens. A quote or pattern without its end is empty, and ends the expression. */
export function* legacyTokens(source: string): Generator<Token> {
  let at = 0
  let previous: TokenKind | null = null
  for (;;) {
    while (at < source.length && /[\t-\r ]/.test(source[at])) at++
    if (at >= source.length) return
    const symbol = SYMBOLS.find(([text]) => source.startsWith(text, at))
    if (symbol !== undefined) {
      at += symbol[0].length
      previous = symbol[1]
      yield { kind: previous, text: '' }
      continue
    }
    const isPattern: boolean = source[at] === '/' && previous !== 'access'
    const quote = isPattern || source[at] === "'" ? source[at] : ''
    const word = readWord(source, at + quote.length, quote)
    at = word.end
    previous = isPattern ? 're' : 'string'
    yield { kind: previous, text: word.text }
  }
}

/** A word up to its quote, or to a blank or a symbol; a backslash keeps the next character from ending it. */
function readWord(source: string, from: number, quote: string): { readonly text: string; readonly end: number } {
  let text = ''
  let at = from
  while (at < source.length) {
    const character = source[at]
    if (character === '\\') {
      if (at + 1 < source.length) text += source[at + 1]
      at += 2
      continue
    }
    if (quote !== '' ? character === quote : endsWord(source, at)) return { text, end: at + quote.length }
    text += character
    at++
  }
  return { text: quote === '' ? text : '', end: source.length }
}

function endsWord(source: string, at: number): boolean {
  const character = source[at]
  if (character === '|' || character === '&') return source[at + 1] === character
  return /[\t-\r ()=!<>]/.test(character)
}
