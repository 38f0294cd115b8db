import type { ConfigServices } from '@gatewright/api'

/** The response to a check, as far as expressions see it. */
export interface CheckedResponse {
  readonly status: number
  readonly body: string
}

/** Whether a response shows that a member is healthy. */
export type Verdict = (response: CheckedResponse) => boolean
type Operand = (response: CheckedResponse) => string

/**
 * Expressions about the response to a check: `%{REQUEST_STATUS}` and `hc('body')`, compared with texts, numbers, lists and
 * patterns. Their syntax is that of all expressions; other variables would need a request of a client.
 */
export function compileVerdict(source: string, services: Pick<ConfigServices, 'pattern'>): Verdict | { readonly error: string } {
  try {
    return new Parser(source, services).parse()
  } catch (error) {
    if (error instanceof Unsupported) return { error: error.message }
    throw error
  }
}

class Unsupported extends Error {}

const TOKEN =
  /\s*(?:(\|\||&&|=~|!~|==|!=|<=|>=|=|<|>|!|[(){},])|%\{([A-Za-z_]+)\}|hc\(\s*(?:'body'|"body")\s*\)|'([^']*)'|"([^"%]*)"|(-?[A-Za-z]+|-?\d+))/gy

class Parser {
  readonly #source: string
  readonly #services: Pick<ConfigServices, 'pattern'>
  #at = 0

  constructor(source: string, services: Pick<ConfigServices, 'pattern'>) {
    this.#source = source
    this.#services = services
  }

  parse(): Verdict {
    const verdict = this.#or()
    if (this.#source.slice(this.#at).trim() !== '') throw this.#unsupported()
    return verdict
  }

  #or(): Verdict {
    let left = this.#and()
    while (this.#take('||')) {
      const [first, second] = [left, this.#and()]
      left = (response) => first(response) || second(response)
    }
    return left
  }

  #and(): Verdict {
    let left = this.#not()
    while (this.#take('&&')) {
      const [first, second] = [left, this.#not()]
      left = (response) => first(response) && second(response)
    }
    return left
  }

  #not(): Verdict {
    if (this.#take('!')) {
      const inner = this.#not()
      return (response) => !inner(response)
    }
    if (this.#take('(')) {
      const inner = this.#or()
      if (!this.#take(')')) throw this.#unsupported()
      return inner
    }
    if (this.#take('true')) return () => true
    if (this.#take('false')) return () => false
    return this.#comparison()
  }

  #comparison(): Verdict {
    const left = this.#operand()
    const operator = this.#next()?.trim() ?? ''
    if (operator === '=~' || operator === '!~') {
      const pattern = this.#pattern()
      return (response) => pattern.test(left(response)) === (operator === '=~')
    }
    if (operator === 'in' || operator === '-in') return this.#list(left)
    const compare = COMPARISONS.get(operator.replace(/^-/, ''))
    if (compare === undefined) throw this.#unsupported()
    const right = this.#operand()
    return (response) => compare(left(response), right(response))
  }

  #list(left: Operand): Verdict {
    if (!this.#take('{')) throw this.#unsupported()
    const words = [this.#operand()]
    while (this.#take(',')) words.push(this.#operand())
    if (!this.#take('}')) throw this.#unsupported()
    return (response) => {
      const value = left(response)
      return words.some((word) => word(response) === value)
    }
  }

  #operand(): Operand {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#source)
    if (found === null || found[1] !== undefined) throw this.#unsupported()
    const [whole, , variable, single, double, word] = found
    if (variable !== undefined && variable.toUpperCase() !== 'REQUEST_STATUS') throw this.#unsupported()
    this.#at += whole.length
    if (variable !== undefined) return ({ status }) => String(status)
    const constant = single ?? double ?? word
    return constant === undefined ? ({ body }) => body : () => constant
  }

  #pattern(): { test(text: string): boolean } {
    const rest = this.#source.slice(this.#at)
    const found = /^\s*(?:\/((?:[^/\\]|\\.)*)\/|m([#^|"'!,.$%&;:])(.*?)\2)([im]*)/s.exec(rest)
    if (found === null) throw this.#unsupported()
    this.#at += found[0].length
    const pattern = this.#services.pattern(found[1] ?? found[3] ?? '', { ignoreCase: found[4].includes('i') })
    if ('error' in pattern) throw new Unsupported(pattern.error)
    return pattern
  }

  #next(): string | undefined {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#source)
    if (found === null) return undefined
    this.#at += found[0].length
    return found[0]
  }

  #take(token: string): boolean {
    const before = this.#at
    if (this.#next()?.trim() === token) return true
    this.#at = before
    return false
  }

  #unsupported(): Unsupported {
    const rest = this.#source.slice(this.#at).trim()
    return new Unsupported(`health checks compare %{REQUEST_STATUS} and hc('body'); not supported: "${rest}"`)
  }
}

const number = (compare: (a: number, b: number) => boolean) => (a: string, b: string) =>
  compare(Number.parseInt(a, 10) || 0, Number.parseInt(b, 10) || 0)

const COMPARISONS: ReadonlyMap<string, (a: string, b: string) => boolean> = new Map([
  ['==', (a: string, b: string) => a === b],
  ['=', (a: string, b: string) => a === b],
  ['!=', (a: string, b: string) => a !== b],
  ['<', (a: string, b: string) => a < b],
  ['<=', (a: string, b: string) => a <= b],
  ['>', (a: string, b: string) => a > b],
  ['>=', (a: string, b: string) => a >= b],
  ['eq', number((a, b) => a === b)],
  ['ne', number((a, b) => a !== b)],
  ['lt', number((a, b) => a < b)],
  ['le', number((a, b) => a <= b)],
  ['gt', number((a, b) => a > b)],
  ['ge', number((a, b) => a >= b)],
])
