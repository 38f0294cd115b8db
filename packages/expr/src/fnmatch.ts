/** How a shell pattern treats slashes, leading dots and case. All options default to false. */
export interface FnmatchOptions {
  /** `*`, `?` and `[...]` do not match a slash. */
  readonly pathname?: boolean
  /** Only a dot in the pattern matches a leading dot (with `pathname` also a dot after a slash). */
  readonly period?: boolean
  /** ASCII letters match in either case. */
  readonly caseBlind?: boolean
  /** A backslash is an ordinary character. */
  readonly noEscape?: boolean
}

export interface FnmatchMatcher {
  /** Whether the whole text matches. Allocates nothing. */
  matches(text: string): boolean
}

/**
 * Compiles a shell pattern as httpd's `apr_fnmatch` reads it: `*`, `?`, `[a-z]`, `[!a-z]` or `[^a-z]`,
 * backslash escapes. An unclosed bracket is literal, and so are a bracket that contains a slash (with
 * `pathname`) and a final backslash. Every pattern is valid.
 */
export function fnmatch(pattern: string, options: FnmatchOptions = {}): FnmatchMatcher {
  return new CompiledFnmatch(readItems(pattern, options), options)
}

/**
 * Whether httpd treats the text as a pattern, not as a plain name (`apr_fnmatch_test`): Include,
 * `<Directory>`, `<Location>`.
 */
export function hasWildcards(pattern: string): boolean {
  let bracket = false
  for (let index = 0; index < pattern.length; index++) {
    switch (pattern[index]) {
      case '*':
      case '?':
        return true
      case '\\':
        index++
        break
      case '[':
        bracket = true
        break
      case ']':
        if (bracket) return true
    }
  }
  return false
}

/** A byte (folded to lower case if case is ignored), a set of bytes, or one of the two wildcards. */
type Item = number | Uint8Array
const ANY = -1
const STAR = -2

const SLASH = 0x2f
const DOT = 0x2e

class CompiledFnmatch implements FnmatchMatcher {
  readonly #items: readonly Item[]
  readonly #pathname: boolean
  readonly #period: boolean
  readonly #caseBlind: boolean

  constructor(items: readonly Item[], options: FnmatchOptions) {
    this.#items = items
    this.#pathname = options.pathname ?? false
    this.#period = options.period ?? false
    this.#caseBlind = options.caseBlind ?? false
  }

  matches(text: string): boolean {
    const items = this.#items
    let item = 0
    let at = 0
    // Where to continue after a failed attempt: after the last star, which then matches one byte more.
    // Earlier stars do not need a second attempt.
    let starItem = -1
    let starAt = 0
    for (;;) {
      if (item < items.length && items[item] === STAR && !this.#isGuardedDot(text, at)) {
        starItem = ++item
        starAt = at
        continue
      }
      if (item === items.length ? at === text.length : at < text.length && this.#takes(items[item], text, at)) {
        if (item === items.length) return true
        item++
        at++
        continue
      }
      if (starItem < 0 || starAt >= text.length || !this.#wildcardTakes(text, starAt)) return false
      item = starItem
      at = ++starAt
    }
  }

  #takes(item: Item, text: string, at: number): boolean {
    const byte = text.charCodeAt(at)
    if (typeof item !== 'number') return item[byte] === 1 && this.#wildcardTakes(text, at)
    if (item === STAR) return false
    return item === ANY ? this.#wildcardTakes(text, at) : item === (this.#caseBlind ? lower(byte) : byte)
  }

  #wildcardTakes(text: string, at: number): boolean {
    return text.charCodeAt(at) === SLASH ? !this.#pathname : !this.#isGuardedDot(text, at)
  }

  /** True at a dot that no wildcard may match; not even a star that matches nothing may precede it. */
  #isGuardedDot(text: string, at: number): boolean {
    if (!this.#period || text.charCodeAt(at) !== DOT) return false
    return at === 0 || (this.#pathname && text.charCodeAt(at - 1) === SLASH)
  }
}

function readItems(pattern: string, options: FnmatchOptions): Item[] {
  const items: Item[] = []
  for (let index = 0; index < pattern.length; index++) {
    switch (pattern[index]) {
      case '*':
        if (items.at(-1) !== STAR) items.push(STAR)
        continue
      case '?':
        items.push(ANY)
        continue
      case '[': {
        const bracket = readBracket(pattern, index, options)
        if (bracket === undefined) break
        items.push(bracket.set)
        index = bracket.end
        continue
      }
      case '\\':
        if (!options.noEscape && index + 1 < pattern.length) index++
    }
    const byte = pattern.charCodeAt(index)
    items.push(options.caseBlind ? lower(byte) : byte)
  }
  return items
}

/** Reads `[...]` from its opening bracket at `start`; `end` is the index of the closing bracket. */
function readBracket(pattern: string, start: number, options: FnmatchOptions): { set: Uint8Array; end: number } | undefined {
  const set = new Uint8Array(256)
  let index = start + 1
  const negated = pattern[index] === '!' || pattern[index] === '^'
  if (negated) index++
  const first = index
  for (; index < pattern.length; index++) {
    if (pattern[index] === ']' && index > first) {
      return { set: negated ? set.map((member) => 1 - member) : set, end: index }
    }
    if (pattern[index] === '\\' && !options.noEscape) index++
    if (options.pathname && pattern[index] === '/') return undefined
    const from = pattern.charCodeAt(index)
    let to = from
    if (pattern[index + 1] === '-' && index + 2 < pattern.length && pattern[index + 2] !== ']') {
      index += pattern[index + 2] === '\\' && !options.noEscape ? 3 : 2
      if (options.pathname && pattern[index] === '/') return undefined
      to = pattern.charCodeAt(index)
    }
    addRange(set, from, to, options)
  }
  return undefined
}

function addRange(set: Uint8Array, from: number, to: number, options: FnmatchOptions): void {
  for (let byte = 0; byte < 256; byte++) {
    if (byte >= from && byte <= to) set[byte] = 1
    else if (options.caseBlind && lower(byte) >= lower(from) && lower(byte) <= lower(to)) set[byte] = 1
  }
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte
}
