import { readTextEscape } from './text-escape.ts'
import type { Token, TokenKind } from './token.ts'

/** In bytes: httpd's limit for one piece of string text and for a regular expression. */
const LONGEST_TEXT = 8191

const UNTERMINATED = 'Unterminated string or variable'

/** Characters that may follow `m` as the delimiter of a regular expression. */
const REGEX_DELIMITERS = '/#$%^,;:_?|-!.\'"'

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['true', 'T_TRUE'],
  ['false', 'T_FALSE'],
  ['and', 'T_OP_AND'],
  ['or', 'T_OP_OR'],
  ['not', 'T_OP_NOT'],
])

/** Words that may also be written with a leading hyphen. */
const WORD_OPERATORS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['in', 'T_OP_IN'],
  ['eq', 'T_OP_EQ'],
  ['ne', 'T_OP_NE'],
  ['lt', 'T_OP_LT'],
  ['le', 'T_OP_LE'],
  ['gt', 'T_OP_GT'],
  ['ge', 'T_OP_GE'],
])

const SYMBOLS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['==', 'T_OP_STR_EQ'],
  ['=', 'T_OP_STR_EQ'],
  ['!=', 'T_OP_STR_NE'],
  ['<', 'T_OP_STR_LT'],
  ['<=', 'T_OP_STR_LE'],
  ['>', 'T_OP_STR_GT'],
  ['>=', 'T_OP_STR_GE'],
  ['=~', 'T_OP_REG'],
  ['!~', 'T_OP_NRE'],
  ['!', 'T_OP_NOT'],
  ['&&', 'T_OP_AND'],
  ['||', 'T_OP_OR'],
  ['.', 'T_OP_CONCAT'],
  ['(', "'('"],
  [')', "')'"],
  ['{', "'{'"],
  ['}', "'}'"],
  [',', "','"],
  [':', "':'"],
])

/**
 * The state of the tokenizer: between operators, in the name of `%{name}`, or in text that ends with the
 * given character (a quote, the brace of `%{function:text}`, or nothing for a whole string).
 */
type State = 'operators' | 'name' | '"' | "'" | '}' | ''

/** Splits an expression into tokens, one at a time. No tokens follow T_ERROR and $end. */
export class Tokenizer {
  readonly #source: string
  readonly #states: State[]
  #position = 0

  constructor(source: string, mode: 'condition' | 'string') {
    this.#source = source
    this.#states = [mode === 'condition' ? 'operators' : '']
  }

  next(): Token {
    const state = this.#states[this.#states.length - 1]
    if (state === 'operators') return this.#operator()
    return state === 'name' ? this.#name() : this.#text(state)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#source)
    if (match === null) return ''
    this.#position = pattern.lastIndex
    return match[0]
  }

  #operator(): Token {
    this.#take(/[ \t\n]+/y)
    const character = this.#source.charAt(this.#position)
    if (character === '') return { kind: '$end', text: '' }
    if (character === '"' || character === "'") {
      this.#position++
      this.#states.push(character)
      return { kind: 'T_STR_BEGIN', text: character }
    }
    if (this.#take(/%\{/y) !== '') return this.#beginVariable()
    const reference = this.#take(/\$[0-9]/y)
    if (reference !== '') return { kind: 'T_REGEX_BACKREF', text: reference.slice(1) }
    const digits = this.#take(/-?[0-9]+/y)
    if (digits !== '') return { kind: 'T_DIGIT', text: digits }
    return this.#regularExpression() ?? this.#word() ?? this.#symbol(character)
  }

  #beginVariable(): Token {
    this.#states.push('name')
    return { kind: 'T_VAR_BEGIN', text: '%{' }
  }

  /**
   * `/text/`, `m#text#`, each with an optional `i`. The delimiter cannot be escaped; if it is missing, the
   * expression ends here.
   */
  #regularExpression(): Token | undefined {
    const opening = this.#take(/\/|m[^A-Za-z0-9 \t\n]/y)
    if (opening === '') return undefined
    const delimiter = opening.charAt(opening.length - 1)
    // `m_x_` is a name, because the longest match wins.
    if (!REGEX_DELIMITERS.includes(delimiter) || (delimiter === '_' && /\w/.test(this.#source.charAt(this.#position)))) {
      this.#position -= opening.length
      return undefined
    }
    const end = this.#source.indexOf(delimiter, this.#position)
    const text = this.#source.slice(this.#position, end < 0 ? this.#source.length : end)
    this.#position = end < 0 ? this.#source.length : end + 1
    if (text.length > LONGEST_TEXT) return { kind: 'T_ERROR', text: 'Regexp too long' }
    if (end < 0) return { kind: '$end', text: '' }
    return { kind: this.#take(/i/y) === '' ? 'T_REGEX' : 'T_REGEX_I', text }
  }

  #word(): Token | undefined {
    const text = this.#take(/-?[A-Za-z]\w*|-_\w*/y)
    if (text === '') return undefined
    if (text.charAt(0) !== '-') return { kind: KEYWORDS.get(text) ?? WORD_OPERATORS.get(text) ?? 'T_ID', text }
    const kind = WORD_OPERATORS.get(text.slice(1))
    return { kind: kind ?? (text.length === 2 ? 'T_OP_UNARY' : 'T_OP_BINARY'), text }
  }

  #symbol(character: string): Token {
    const double = this.#source.slice(this.#position, this.#position + 2)
    for (const text of [double, character]) {
      const kind = SYMBOLS.get(text)
      if (kind === undefined) continue
      this.#position += text.length
      return { kind, text }
    }
    return { kind: 'T_ERROR', text: `Parse error near '${character}'` }
  }

  #name(): Token {
    const name = this.#take(/[A-Za-z]\w*/y)
    if (name !== '') return { kind: 'T_ID', text: name }
    const character = this.#source.charAt(this.#position++)
    switch (character) {
      case ':':
        this.#states.pop()
        this.#states.push('}')
        return { kind: "':'", text: character }
      case '}':
        this.#states.pop()
        return { kind: 'T_VAR_END', text: character }
      case '':
      case '\n':
        return { kind: 'T_ERROR', text: UNTERMINATED }
    }
    return { kind: 'T_ERROR', text: `Invalid character in variable name '${character}'` }
  }

  /** A piece of text, or the token that ends it: the closing character, a variable or a back reference. */
  #text(end: Exclude<State, 'operators' | 'name'>): Token {
    let text = ''
    for (;;) {
      const plain = this.#take(/[^\\%$"'}\n]+/y)
      text += plain
      const character = this.#source.charAt(this.#position)
      if (character === end) return text === '' ? this.#endText(end) : piece(text)
      if (character === '' || character === '\n') return { kind: 'T_ERROR', text: UNTERMINATED }
      if (character === '\\') {
        const escaped = readTextEscape(this.#source, this.#position)
        if ('error' in escaped) return { kind: 'T_ERROR', text: escaped.error }
        text += escaped.text
        this.#position = escaped.end
        continue
      }
      if (this.#isReference(character)) return text === '' ? this.#reference(character) : piece(text)
      if (end === '}' && (character === '"' || character === "'")) {
        // Undefined behaviour: httpd's scanner aborts here, and httpd with it.
        return { kind: 'T_ERROR', text: `Parse error near '${character}'` }
      }
      text += character
      this.#position++
    }
  }

  /** True at `%{` and `$1`; any other percent or dollar sign is text. */
  #isReference(character: string): boolean {
    const following = this.#source.charAt(this.#position + 1)
    return character === '%' ? following === '{' : character === '$' && following >= '0' && following <= '9'
  }

  #reference(character: string): Token {
    this.#position += 2
    if (character === '%') return this.#beginVariable()
    return { kind: 'T_REGEX_BACKREF', text: this.#source.charAt(this.#position - 1) }
  }

  #endText(end: Exclude<State, 'operators' | 'name'>): Token {
    if (end === '') return { kind: '$end', text: '' }
    this.#position++
    this.#states.pop()
    return end === '}' ? { kind: 'T_VAR_END', text: end } : { kind: 'T_STR_END', text: end }
  }
}

/** httpd stores text in C strings, so a NUL ends it. */
function piece(text: string): Token {
  if (text.length > LONGEST_TEXT) return { kind: 'T_ERROR', text: 'String too long' }
  const end = text.indexOf('\0')
  return { kind: 'T_STRING', text: end < 0 ? text : text.slice(0, end) }
}
