import { appendFileSync, readFileSync } from 'node:fs'
import { LineSplitter, type Rewriter } from '@gatewright/filters'
import type { Plan, Step } from './plan.ts'
import type { Address, Substitution } from './script.ts'

/** The longest pattern space and hold space, in bytes. */
export const MAX_SPACE: number = 8 * 1024 * 1024

/** The largest number of commands that one line may run, for scripts that never end. */
const MAX_STEPS = 100_000

/** A script needs too much memory or does not end. */
export class SedError extends Error {}

type End = 'next line' | 'quit'

/** Applies a script to the lines of a body. */
export class SedRewriter implements Rewriter {
  readonly #plan: Plan
  readonly #lines = new LineSplitter(MAX_SPACE)
  /** Whether the range of a command has begun, by its index. */
  readonly #inRange: boolean[]
  readonly #cycle: Generator<string, void, string | null>
  #started = false
  #finished = false
  /** A line that is complete, kept until it is known whether it is the last one. */
  #kept: string | null = null
  #number = 0
  #isLast = false
  #hold = ''
  #space = ''

  constructor(plan: Plan) {
    this.#plan = plan
    this.#inRange = plan.steps.map(() => false)
    this.#cycle = this.#cycles()
  }

  *push(piece: Uint8Array): Generator<Uint8Array> {
    for (const line of this.#lines.push(piece)) yield* this.#take(line.slice(0, -1))
  }

  *end(): Generator<Uint8Array> {
    const rest = this.#lines.end()
    if (rest !== '') yield* this.#take(rest)
    this.#isLast = true
    if (this.#kept !== null) yield* this.#feed(this.#kept)
    yield* this.#feed(null)
  }

  *#take(line: string): Generator<Uint8Array> {
    const before = this.#kept
    this.#kept = line
    if (before !== null) yield* this.#feed(before)
  }

  /** Gives a line to the cycle, and collects what it prints until it asks for the next one. */
  *#feed(line: string | null): Generator<Uint8Array> {
    if (this.#finished) return
    if (!this.#started) {
      this.#started = true
      this.#cycle.next(null)
    }
    let text = ''
    for (let made = this.#cycle.next(line); ; made = this.#cycle.next(null)) {
      if (made.done === true) {
        this.#finished = true
        break
      }
      if (made.value === WANTS_LINE) break
      text += made.value
    }
    yield Buffer.from(text, 'latin1')
  }

  /** Runs the script for each line. Yields text to print, and {@link WANTS_LINE} to get the next line or null. */
  *#cycles(): Generator<string, void, string | null> {
    let restart = false
    for (;;) {
      if (!restart) {
        const line = yield WANTS_LINE
        if (line === null) return
        this.#space = line
        this.#number++
      }
      const reads: string[] = []
      const result: End | 'delete' | 'restart' | 'no line' = yield* this.#run(reads)
      restart = result === 'restart'
      if (!this.#plan.quiet && (result === 'next line' || result === 'quit')) yield `${this.#space}\n`
      for (const path of reads) yield contentOf(path)
      if (result === 'quit' || result === 'no line') return
    }
  }

  *#run(reads: string[]): Generator<string, End | 'delete' | 'restart' | 'no line', string | null> {
    const { steps } = this.#plan
    let replaced = false
    let count = 0
    for (let index = 0; index < steps.length; index++) {
      if (++count > MAX_STEPS) throw new SedError('the script does not end')
      const step = steps[index]
      const { action, negated } = step.command
      if (action.kind === 'end' || action.kind === 'label') continue
      if (this.#applies(step, index) === negated) {
        if (action.kind === 'block') index = step.jump
        continue
      }
      switch (action.kind) {
        case 'block':
          break
        case 'branch':
          index = step.jump - 1
          break
        case 'test':
          if (replaced) index = step.jump - 1
          replaced = false
          break
        case 'substitute':
          if (this.#substitute(action)) {
            replaced = true
            if (action.print && this.#plan.quiet) yield `${this.#space}\n`
            if (action.writeTo !== null) write(action.writeTo, this.#space)
          }
          break
        case 'map':
          this.#space = Array.from(this.#space, (char) => action.map.get(char) ?? char).join('')
          break
        case 'read':
          reads.push(action.path)
          break
        case 'write':
          write(action.path, this.#space)
          break
        case 'simple':
          switch (action.letter) {
            case 'd':
              return 'delete'
            case 'q':
              return 'quit'
            case 'D': {
              const feed = this.#space.indexOf('\n')
              if (feed < 0) return 'delete'
              this.#space = this.#space.slice(feed + 1)
              return 'restart'
            }
            case 'n':
            case 'N': {
              const { letter } = action
              if (letter === 'n') {
                if (!this.#plan.quiet) yield `${this.#space}\n`
                for (const path of reads.splice(0)) yield contentOf(path)
              }
              const line = this.#isLast ? null : yield WANTS_LINE
              if (line === null) return 'no line'
              this.#number++
              this.#setSpace(letter === 'n' ? line : `${this.#space}\n${line}`)
              break
            }
            case '=':
              yield `${this.#number}\n`
              break
            case 'p':
              yield `${this.#space}\n`
              break
            case 'P': {
              const feed = this.#space.indexOf('\n')
              yield `${feed < 0 ? this.#space : this.#space.slice(0, feed)}\n`
              break
            }
            case 'l':
              yield visible(this.#space)
              break
            case 'g':
              this.#space = this.#hold
              break
            case 'G':
              this.#setSpace(`${this.#space}\n${this.#hold}`)
              break
            case 'h':
              this.#hold = this.#space
              break
            case 'H':
              this.#hold = checked(`${this.#hold}\n${this.#space}`)
              break
            case 'x': {
              const held = this.#hold
              this.#hold = this.#space
              this.#space = held
              break
            }
          }
      }
    }
    return 'next line'
  }

  #setSpace(text: string): void {
    this.#space = checked(text)
  }

  /**
   * Whether the addresses of a command select the line. As in httpd, a range that ends before the line that follows it
   * still keeps that line from beginning another one, unless its address is that number.
   */
  #applies({ command: { from, to } }: Step, index: number): boolean {
    if (from === null) return true
    if (to === null) return this.#matches(from)
    if (!this.#inRange[index]) {
      if (!this.#matches(from)) return false
      this.#inRange[index] = true
      return true
    }
    if (to.kind === 'line') {
      if (this.#number >= to.number) this.#inRange[index] = false
      return this.#number <= to.number
    }
    if (this.#matches(to)) this.#inRange[index] = false
    return true
  }

  #matches(address: Address): boolean {
    switch (address.kind) {
      case 'line':
        return this.#number === address.number
      case 'last':
        return this.#isLast
      case 'pattern':
        return address.pattern.test(this.#space)
    }
  }

  #substitute({ pattern, replacement, nth, global }: Substitution): boolean {
    const text = this.#space
    let made = ''
    let copied = 0
    let count = 0
    let done = false
    let after = -1
    for (let at = 0; at <= text.length; ) {
      const match = pattern.search(text, at)
      if (match === null) break
      // An empty match directly after another one does not count.
      if (match.end === match.start && match.start === after) {
        at = match.start + 1
        continue
      }
      count++
      after = match.end
      if (count === nth || (global && count > nth)) {
        made += text.slice(copied, match.start)
        for (const part of replacement) made += typeof part === 'string' ? part : match.groups[part]
        if (made.length > MAX_SPACE) throw new SedError('a line is too long')
        copied = match.end
        done = true
        if (!global) break
      }
      at = match.end === match.start ? match.end + 1 : match.end
    }
    if (done) this.#setSpace(made + text.slice(copied))
    return done
  }
}

/** What the cycle yields to get a line. No text to print is this object. */
const WANTS_LINE: string = '\u{10FFFF}'

function checked(text: string): string {
  if (text.length > MAX_SPACE) throw new SedError('a line is too long')
  return text
}

/** The content of a file; '' if it cannot be read. */
function contentOf(path: string): string {
  try {
    return readFileSync(Buffer.from(path, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

function write(path: string, line: string): void {
  appendFileSync(Buffer.from(path, 'latin1'), Buffer.from(`${line}\n`, 'latin1'))
}

/** A line with escapes for what is not printable, in lines of at most 72 characters. */
function visible(text: string): string {
  let made = ''
  let column = 0
  for (const char of text) {
    const code = char.charCodeAt(0)
    const shown = char === '\n' ? '\n' : code < 32 || code > 126 ? `\\${code.toString(8).padStart(2, '0')}` : char
    if (column + shown.length > 71 && char !== '\n') {
      made += '\\\n'
      column = 0
    }
    made += shown
    column = char === '\n' ? 0 : column + shown.length
  }
  return `${made}\n`
}
