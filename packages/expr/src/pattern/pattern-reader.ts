import { PatternError, PatternRefusal } from './pattern-error.ts'

/**
 * The options that `(?imsxnU)` set. Each group has a copy, because a setting ends with the group that
 * contains it.
 */
export interface PatternOptions {
  ignoreCase: boolean
  multiline: boolean
  dotAll: boolean
  /** 1 = `x`, 2 = `xx`: blanks inside classes are also ignored. */
  extended: 0 | 1 | 2
  ungreedy: boolean
  noAutoCapture: boolean
  /** Cannot be set in a pattern: httpd sets it for all patterns (RegexDefaultOptions DOLLAR_ENDONLY). */
  readonly dollarEndOnly: boolean
}

/** A cursor in the pattern's text, with the number of groups found so far. */
export class PatternReader {
  readonly source: string
  position = 0
  depth = 0
  /** True between `\Q` and `\E`: every character is literal. */
  quoted = false
  /** Names by group number; index 0 is the whole match. */
  readonly groups: (string | undefined)[] = [undefined]

  constructor(source: string) {
    this.source = source
  }

  get ended(): boolean {
    return this.position >= this.source.length
  }

  /** The character at the cursor, or the empty string at the end. */
  peek(): string {
    return this.source.charAt(this.position)
  }

  next(): string {
    return this.source.charAt(this.position++)
  }

  /** Skips `text` if it is at the cursor. */
  skip(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false
    this.position += text.length
    return true
  }

  /** Skips the match of a sticky pattern at the cursor and returns it. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.source)
    if (match !== null) this.position = pattern.lastIndex
    return match
  }

  /** Skips `\Q` and `\E`, which may occur between any two items and before a quantifier. */
  settle(): void {
    for (;;) {
      if (this.skip('\\E')) this.quoted = false
      else if (!this.quoted && this.skip('\\Q')) this.quoted = true
      else return
    }
  }

  get lastGroup(): number {
    return this.groups.length - 1
  }

  fail(message: string, offset: number = this.position): never {
    throw new PatternRefusal(new PatternError(message, offset, 'syntax'))
  }

  unsupported(construct: string, offset: number = this.position): never {
    throw new PatternRefusal(new PatternError(`${construct} is not supported`, offset, 'unsupported'))
  }
}
