import type { Random } from '../fixtures/random.ts'
import {
  ESCAPES,
  FILE_FUNCTIONS,
  NAMES,
  NETWORKS,
  PATTERNS,
  PURE_FUNCTIONS,
  REGEX_DELIMITERS,
  REQUEST_FUNCTIONS,
  SHELL_PATTERNS,
  TEXTS,
  VARIABLES,
  WRONG_DELIMITERS,
  WRONG_FUNCTIONS,
  WRONG_VARIABLES,
} from './expression-words.ts'

const STRING_OPERATORS = '== = != < <= > >='.split(' ')
const INTEGER_OPERATORS = '-eq -ne -lt -le -gt -ge eq ne lt le gt ge'.split(' ')
const FILES = '/ /etc /etc/passwd /nosuch @TREE@ @TREE@/link @TREE@/empty @TREE@/program @TREE@/page.html etc/passwd'.split(' ')
const URLS =
  '/ /page.html /nosuch /closed/ /closed/page.html /guarded/ page.html ../page.html http://x/ * ?a=b /page.html?x=y'.split(' ')
/** httpd would look up names. */
const ADDRESSES = NETWORKS.filter((text) => !/[g-wyz]/.test(text))
const SYMBOLS = `( ) { } , . : ! && || & | == = != =~ !~ < > in -in not and or true false -n -z -T -Q -foo eq -eq
  % $ $1 $10 %{ %} ' " / m# m/ m ; # \\ ~ + - * 0 1 -1 TRUE AND EQ a a( tolower(`.split(/\s+/)

/** How likely it is that something else than the grammar allows is written, in percent, at each place where it could be. */
export interface Habits {
  readonly wrong: number
  /** Whether functions that .htaccess files may not use are written. */
  readonly files: 'may' | 'never'
}

/** Writes random expressions by httpd's grammar, nested up to a depth. */
export class ExpressionGenerator {
  readonly #random: Random
  readonly #habits: Habits

  constructor(random: Random, habits: Habits) {
    this.#random = random
    this.#habits = habits
  }

  condition(depth = 4): string {
    const text = this.#clause(depth)
    return this.#wrong() && this.#random.percent(30) ? this.#mutated(text) : text
  }

  /** For string mode: no quotes around it. */
  string(depth = 3): string {
    const text = this.#random.several(1, 3, () => this.#stringPiece(depth, '')).join('')
    return this.#wrong() && this.#random.percent(20) ? this.#mutated(text) : text
  }

  #wrong(): boolean {
    return this.#random.percent(this.#habits.wrong)
  }

  #mutated(text: string): string {
    const at = this.#random.below(text.length + 1)
    switch (this.#random.below(3)) {
      case 0:
        return text.slice(0, at) + text.slice(at + 1 + this.#random.below(3))
      case 1:
        return text.slice(0, at) + this.#random.pick(SYMBOLS) + text.slice(at)
      default:
        return text.slice(0, at)
    }
  }

  #blank(): string {
    return this.#random.percent(85) ? ' ' : this.#random.pick(['', '\t', '  '])
  }

  #clause(depth: number): string {
    const random = this.#random
    const blank = this.#blank()
    switch (depth <= 0 ? 9 : random.below(12)) {
      case 0:
      case 1:
        return this.#clause(depth - 1) + blank + random.pick(['&&', 'and', '||', 'or']) + this.#blank() + this.#clause(depth - 1)
      case 2:
        return `${random.pick(['!', 'not ', '! ', 'not\t'])}${this.#clause(depth - 1)}`
      case 3:
        return `(${this.#clause(depth - 1)})`
      case 4:
        // The effect of a match shows in the expression after it.
        return `${this.#match(depth)} ${random.pick(['&&', '||'])} ${random.pick(['', '!'])}${this.#reference()} ${random.pick(STRING_OPERATORS)} ${this.#word(1)}`
      case 5:
        return random.percent(30) ? random.pick(['true', 'false']) : this.#match(depth)
      default:
        return this.#comparison(depth)
    }
  }

  #comparison(depth: number): string {
    const random = this.#random
    const blank = this.#blank()
    if (this.#wrong() && random.percent(20)) return random.pick([...SYMBOLS, this.#word(depth), `-Q ${this.#word(1)}`])
    switch (random.below(9)) {
      case 0:
      case 1:
        return this.#word(depth) + blank + random.pick(STRING_OPERATORS) + this.#blank() + this.#word(depth)
      case 2:
        return `${this.#number()} ${random.pick(INTEGER_OPERATORS)} ${this.#number()}`
      case 3: {
        const list = random.percent(6) ? [] : random.several(1, 9, () => this.#word(1))
        const end = this.#wrong() ? random.pick(['', ',', ',}', ')']) : '}'
        if (this.#wrong()) return `${this.#word(depth)} in ${random.pick(WRONG_FUNCTIONS)}(${this.#word(1)})`
        return `${this.#word(depth)} ${random.pick(['in', '-in'])} {${list.join(random.pick([',', ', ', ' , ']))}${end}`
      }
      case 4:
        return `-${random.pick([...'nzT'])}${blank}${this.#word(depth)}`
      case 5: {
        const letter = random.pick([...'deshLfxdefFUA'])
        const name = random.pick('FUA'.includes(letter) ? [...URLS, ...FILES] : FILES)
        return `-${letter} ${random.percent(80) ? this.#quoted(name) : this.#word(1)}`
      }
      case 6:
        if (random.percent(40)) return `-R ${this.#network()}`
        return `${random.percent(50) ? '%{REMOTE_ADDR}' : this.#quoted(random.pick(ADDRESSES))} -ipmatch ${this.#network()}`
      case 7: {
        const operator = random.pick('-strmatch -strcmatch -fnmatch -STRMATCH -Fnmatch -strmatchx -foo'.split(' '))
        return `${this.#word(depth)} ${operator} ${random.percent(80) ? this.#quoted(random.pick(SHELL_PATTERNS).replaceAll('\\', '\\\\')) : this.#word(1)}`
      }
      default:
        return this.#match(depth)
    }
  }

  #match(depth: number): string {
    return this.#word(depth - 1) + this.#blank() + this.#random.pick(['=~', '=~', '=~', '!~']) + this.#blank() + this.#regex()
  }

  #regex(): string {
    const random = this.#random
    const pattern = random.percent(80) ? random.pick(PATTERNS) : random.pick(PATTERNS) + random.pick(PATTERNS)
    const flag = random.pick(['', '', 'i', this.#wrong() ? 'x' : ''])
    if (random.percent(50)) return `/${pattern}/${flag}`
    const delimiter = random.pick(this.#wrong() ? WRONG_DELIMITERS : REGEX_DELIMITERS)
    return `m${delimiter}${pattern}${delimiter}${flag}`
  }

  #network(): string {
    if (this.#wrong()) return this.#word(1)
    return this.#quoted(this.#random.pick(NETWORKS))
  }

  #number(): string {
    const random = this.#random
    if (random.percent(40)) return String(random.pick([0, 1, 9, 10, -1, -0, 2 ** 31, 2 ** 53]))
    if (random.percent(30))
      return random.pick([
        '%{REQUEST_STATUS}',
        '%{req:X-Num}',
        '%{SERVER_PORT}',
        '9223372036854775808',
        '-00',
        '$1',
        '1.5',
        '1 . 5',
      ])
    return this.#quoted(random.pick(TEXTS))
  }

  #reference(): string {
    return `$${this.#random.below(10)}`
  }

  #word(depth: number): string {
    const random = this.#random
    if (depth <= 0 || random.percent(35)) return this.#quoted(random.pick(TEXTS))
    switch (random.below(10)) {
      case 0:
        return this.#word(depth - 1) + random.pick(['.', ' . ', ' .']) + this.#word(depth - 1)
      case 1:
        return random.pick(['0', '10', '-5', '007', '99999999999999999999'])
      case 2:
        return this.#reference()
      case 3:
      case 4:
        return this.#variable(depth)
      case 5:
        return `${this.#functionName()}${random.percent(90) ? '' : ' '}(${this.#blank()}${this.#word(depth - 1)}${this.#blank()})`
      default: {
        const quote = random.pick(['"', "'"])
        const text = random.several(0, 3, () => this.#stringPiece(depth - 1, quote)).join('')
        return quote + text + (this.#wrong() && random.percent(20) ? '' : quote)
      }
    }
  }

  #functionName(): string {
    const random = this.#random
    if (this.#wrong()) return random.pick(WRONG_FUNCTIONS)
    if (this.#habits.files === 'may' && random.percent(20)) return random.pick(FILE_FUNCTIONS)
    return random.pick(random.percent(50) ? PURE_FUNCTIONS : REQUEST_FUNCTIONS)
  }

  #variable(depth: number): string {
    const random = this.#random
    if (this.#wrong()) return `%{${random.pick(WRONG_VARIABLES)}}`
    if (random.percent(50)) return `%{${random.pick(VARIABLES)}}`
    const name = this.#functionName()
    if (REQUEST_FUNCTIONS.includes(name) && random.percent(80)) return `%{${name}:${random.pick(NAMES)}}`
    if (FILE_FUNCTIONS.includes(name)) return `%{${name}:${random.pick(FILES)}}`
    return `%{${name}:${random.several(1, 2, () => this.#stringPiece(depth - 1, '}')).join('')}}`
  }

  /** Text that is allowed before `end`; httpd's scanner fails at a quote in `%{function:...}`. */
  #stringPiece(depth: number, end: string): string {
    const random = this.#random
    switch (depth <= 0 ? random.below(6) : random.below(10)) {
      case 0:
        return this.#wrong()
          ? random.pick(ESCAPES)
          : random
              .pick(ESCAPES.slice(0, 17))
              .replace(/\\(?=["'])/, end === '}' ? '' : '\\')
              .replace(/["']/, end === '}' ? 'q' : '$&')
      case 1:
        return this.#reference()
      case 2:
      case 3:
      case 4:
      case 5:
        return random
          .pick(TEXTS)
          .replaceAll(end === '' ? '\0' : end, end === '}' ? 'q' : '')
          .replace(/["']/g, end === '}' ? 'q' : '$&')
      default:
        return this.#variable(depth)
    }
  }

  #quoted(text: string): string {
    const quote = this.#random.pick(["'", "'", '"'])
    return quote + text.replaceAll(quote, '') + quote
  }
}
