import type { ConfigServices } from '@gatewright/api'
import { BasicExpression } from './basic-expression.ts'
import type { Action, Address, Command, ReplacementPart, Script, Substitution } from './script.ts'
import { translateExpression } from './translate-expression.ts'

/** Labels are shorter than this. */
const MAX_LABEL = 8

/** The largest number of a match in the flags of `s`. */
const MAX_NTH = 512

/** The letters of commands without an argument. */
const SIMPLE = ['=', 'd', 'D', 'g', 'G', 'h', 'H', 'l', 'n', 'N', 'p', 'P', 'q', 'x'] as const

/** What is wrong with a script. */
class ScriptError extends Error {}

/**
 * Compiles a script of sed.
 * @returns an error text if it is invalid
 */
export function compileScript(text: string, services: ConfigServices): Script | { readonly error: string } {
  try {
    return new ScriptReader(text, services).script()
  } catch (error) {
    if (error instanceof ScriptError) return { error: error.message }
    throw error
  }
}

function takesOneAddress(action: Action): boolean {
  return action.kind === 'read' || (action.kind === 'simple' && (action.letter === 'q' || action.letter === '='))
}

class ScriptReader {
  readonly #text: string
  readonly #services: ConfigServices
  readonly #labels = new Set<string>()
  #at = 0
  #depth = 0
  /** The pattern that an empty one repeats. */
  #last: BasicExpression | null = null

  constructor(text: string, services: ConfigServices) {
    this.#text = text
    this.#services = services
  }

  script(): Script {
    const commands: Command[] = []
    let quiet = false
    if (this.#text.startsWith('#')) {
      quiet = /^#n(?:$|[\n;])/.test(this.#text)
      this.#skipLine()
    }
    for (;;) {
      while (' \t;\n'.includes(this.#peek()) && this.#peek() !== '') this.#at++
      if (this.#peek() === '') return { commands, quiet }
      if (this.#peek() === '#') this.#skipLine()
      else commands.push(this.#command())
    }
  }

  #command(): Command {
    const from = this.#address()
    let to: Address | null = null
    if (from !== null && this.#peek() === ',') {
      this.#at++
      to = this.#address()
      if (to === null) this.#fail('command garbled')
    }
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++
    let negated = false
    while (this.#peek() === '!') {
      negated = true
      this.#at++
    }
    const action = this.#action()
    if (to !== null && takesOneAddress(action)) this.#fail('only one address allowed')
    return { from, to, negated, action }
  }

  #address(): Address | null {
    const char = this.#peek()
    if (char === '$') {
      this.#at++
      return { kind: 'last' }
    }
    const digits = /^\d+/.exec(this.#text.slice(this.#at, this.#at + 12))
    if (digits !== null) {
      this.#at += digits[0].length
      return { kind: 'line', number: Number(digits[0]) }
    }
    if (char === '/') {
      this.#at++
      return { kind: 'pattern', pattern: this.#pattern('/') }
    }
    if (char !== '\\') return null
    const delimiter = this.#text[this.#at + 1] ?? ''
    if (delimiter === '') this.#fail('command garbled')
    this.#at += 2
    return { kind: 'pattern', pattern: this.#pattern(delimiter) }
  }

  #action(): Action {
    const letter = this.#peek()
    this.#at++
    switch (letter) {
      case '{':
        this.#depth++
        return { kind: 'block' }
      case '}':
        if (this.#depth === 0) this.#fail("too many }'s")
        this.#depth--
        return this.#ended({ kind: 'end' })
      case ':':
        return { kind: 'label', label: this.#newLabel() }
      case 'b':
        return { kind: 'branch', label: this.#label() }
      case 't':
        return { kind: 'test', label: this.#label() }
      case 'r':
        return { kind: 'read', path: this.#path('command garbled') }
      case 'w':
        return { kind: 'write', path: this.#path('Space missing before filename') }
      case 's':
        return this.#substitution()
      case 'y':
        return this.#ended({ kind: 'map', map: this.#map() })
      // Their texts would need lines of their own, which an argument of a directive does not have.
      case 'a':
      case 'c':
      case 'i':
      case '':
      case ';':
        return this.#fail('command garbled')
    }
    const simple = SIMPLE.find((one) => one === letter)
    if (simple === undefined) return this.#fail('unrecognized command')
    return this.#ended({ kind: 'simple', letter: simple })
  }

  /** Checks that a command is followed by another one or by nothing. */
  #ended(action: Action): Action {
    const char = this.#peek()
    if (char !== '' && char !== ';' && char !== '\n') this.#fail('command garbled')
    return action
  }

  /** Reads to the delimiter that ends a pattern; an empty pattern is the one before it. */
  #pattern(delimiter: string): BasicExpression {
    let text = ''
    let set: 'none' | 'begun' | 'open' = 'none'
    for (;;) {
      const char = this.#peek()
      if (char === '' || char === '\n') this.#fail(set === 'none' ? 'command garbled' : '[ ] imbalance')
      this.#at++
      if (set === 'none') {
        if (char === delimiter) break
        if (char === '\\') {
          const next = this.#peek()
          if (next === '') this.#fail('command garbled')
          this.#at++
          text += next === delimiter && !/[.*[\]^$(){}n0-9]/.test(next) ? next : char + next
          continue
        }
        if (char === '[') {
          set = 'begun'
          text += char
          if (this.#peek() === '^') {
            text += '^'
            this.#at++
          }
          continue
        }
      } else if (char === ']' && set === 'open') set = 'none'
      else set = 'open'
      text += char
    }
    if (text === '') return this.#last ?? this.#fail('first RE may not be null')
    this.#last = this.#compiled(text)
    return this.#last
  }

  #compiled(text: string): BasicExpression {
    const translated = translateExpression(text)
    if ('error' in translated) return this.#fail(translated.error)
    const pattern = this.#services.pattern(translated.source)
    if ('error' in pattern) return this.#fail(pattern.error)
    return new BasicExpression(pattern, translated.anchored, translated.groups)
  }

  #substitution(): Substitution {
    const delimiter = this.#peek()
    if (delimiter === '') this.#fail('command garbled')
    this.#at++
    const pattern = this.#pattern(delimiter)
    const replacement = this.#replacement(delimiter, pattern.groups)
    let nth = 1
    let global = false
    let print = false
    let writeTo: string | null = null
    if (this.#peek() === 'g') {
      global = true
      this.#at++
    }
    const number = /^[1-9]\d*/.exec(this.#text.slice(this.#at, this.#at + 12))
    if (number !== null) {
      nth = Number(number[0])
      this.#at += number[0].length
      if (nth > MAX_NTH) this.#fail('suffix too large')
      global = false
    }
    if (this.#peek() === 'p') {
      print = true
      this.#at++
    }
    if (this.#peek() === 'w') {
      this.#at++
      writeTo = this.#path('Space missing before filename')
    }
    const substitution: Substitution = { kind: 'substitute', pattern, replacement, nth, global, print, writeTo }
    this.#ended(substitution)
    return substitution
  }

  #replacement(delimiter: string, groups: number): ReplacementPart[] {
    const parts: ReplacementPart[] = []
    let text = ''
    const add = (group: number): void => {
      if (text !== '') parts.push(text)
      text = ''
      parts.push(group)
    }
    for (;;) {
      const char = this.#peek()
      if (char === '') this.#fail('ending delimiter missing on substitution')
      this.#at++
      if (char === delimiter) break
      if (char === '&') add(0)
      else if (char !== '\\') text += char
      else {
        const next = this.#peek()
        this.#at++
        if (next >= '1' && next <= '9') {
          if (Number(next) > groups) this.#fail("``\\digit'' out of range")
          add(Number(next))
        } else text += next
      }
    }
    if (text !== '') parts.push(text)
    return parts
  }

  #map(): Map<string, string> {
    const delimiter = this.#peek()
    this.#at++
    const from = this.#mapped(delimiter)
    const to = this.#mapped(delimiter)
    if (from.length !== to.length) this.#fail('transform strings not the same size')
    return new Map(from.map((char, index) => [char, to[index]]))
  }

  #mapped(delimiter: string): string[] {
    const chars: string[] = []
    for (;;) {
      const char = this.#peek()
      if (char === '' || delimiter === '') this.#fail('ending delimiter missing on string')
      this.#at++
      if (char === delimiter) return chars
      if (char !== '\\') chars.push(char)
      else if (this.#peek() === 'n') {
        this.#at++
        chars.push('\n')
      } else this.#fail('transform strings not the same size')
    }
  }

  #newLabel(): string {
    const label = this.#label()
    if (label === '' || this.#labels.has(label)) this.#fail('duplicate labels')
    this.#labels.add(label)
    return label
  }

  /** The rest of the line: a label does not end at a semicolon. */
  #label(): string {
    const rest = this.#restOfLine().trimStart()
    if (rest.length >= MAX_LABEL) this.#fail('label too long')
    return rest
  }

  #path(error: string): string {
    const rest = this.#restOfLine()
    if (!rest.startsWith(' ')) this.#fail(error)
    return rest.slice(1)
  }

  #restOfLine(): string {
    const from = this.#at
    this.#skipLine()
    return this.#text.slice(from, this.#at)
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #fail(reason: string): never {
    throw new ScriptError(`${reason}: ${this.#text}`)
  }
}
