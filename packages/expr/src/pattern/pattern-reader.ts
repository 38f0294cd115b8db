import { PatternError, PatternRefusal } from './pattern-error.ts'

/** What `(?imsxnU)` switch; a copy per group, because a switch ends with the group it stands in. */
export interface PatternOptions {
  ignoreCase: boolean
  multiline: boolean
  dotAll: boolean
  /** 1 = `x`, 2 = `xx`: blanks inside classes are ignored as well. */
  extended: 0 | 1 | 2
  ungreedy: boolean
  noAutoCapture: boolean
  /** Not switchable in a pattern: httpd sets it for all (RegexDefaultOptions DOLLAR_ENDONLY). */
  readonly dollarEndOnly: boolean
}

/** A cursor on the pattern's text, with the groups counted so far. */
export class PatternReader {
  readonly source: string
  position = 0
  depth = 0
  /** True between `\Q` and `\E`: every character stands for itself. */
  quoted = false
  /** Names by group number; index 0 is the whole match. */
  readonly groups: (string | undefined)[] = [undefined]

  constructor(source: string) {
    this.source = source
  }

  get ended(): boolean {
    return this.position >= this.source.length
  }

  /** The character under the cursor, or the empty string at the end. */
  peek(): string {
    return this.source.charAt(this.position)
  }

  next(): string {
    return this.source.charAt(this.position++)
  }

  /** Steps over `text` if it stands here. */
  skip(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false
    this.position += text.length
    return true
  }

  /** Steps over what a sticky pattern matches here and returns the match. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.source)
    if (match !== null) this.position = pattern.lastIndex
    return match
  }

  /** Steps over `\Q` and `\E`, which may stand between any two items and before a quantifier. */
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
