/** Maximum number of samples for one pattern. */
const MAX_SAMPLES = 12

/**
 * Texts that a pattern matches, for common patterns: literals, classes, groups, alternatives, repetitions.
 * Each is tested against the pattern; a pattern that cannot be parsed has none.
 */
export function regexSamples(pattern: string): string[] {
  const flags = /^\(\?[a-z]*i[a-z]*\)/.test(pattern) ? 'i' : ''
  const source = pattern.replace(/^\(\?[a-z]+\)/, '')
  let tried: RegExp
  try {
    tried = new RegExp(source, flags)
  } catch {
    return []
  }
  const reader = new PatternReader(source)
  const samples = reader.alternatives()
  return reader.failed ? [] : [...new Set(samples)].filter((sample) => tried.test(sample)).slice(0, MAX_SAMPLES)
}

class PatternReader {
  failed = false
  #at = 0
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  alternatives(): string[] {
    let all = this.#sequence()
    while (this.#source[this.#at] === '|') {
      this.#at++
      all = all.concat(this.#sequence())
    }
    return all.slice(0, MAX_SAMPLES)
  }

  #sequence(): string[] {
    let heads = ['']
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at])) {
      const tails = this.#repeated(this.#atom())
      heads = heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_SAMPLES)
    }
    return heads
  }

  #atom(): string[] {
    const char = this.#source[this.#at++]
    switch (char) {
      case '^':
      case '$':
        return ['']
      case '.':
        return ['x']
      case '(':
        return this.#group()
      case '[':
        return [this.#oneOf()]
      case '\\':
        return this.#escaped()
      default:
        return [char]
    }
  }

  #group(): string[] {
    if (this.#source.startsWith('?:', this.#at)) this.#at += 2
    else if (this.#source[this.#at] === '?') {
      this.failed = true
      return ['']
    }
    const inner = this.alternatives()
    if (this.#source[this.#at++] !== ')') this.failed = true
    return inner
  }

  #oneOf(): string {
    const close = this.#source.indexOf(']', this.#at + (this.#source[this.#at] === '^' ? 2 : 1))
    if (close < 0) {
      this.failed = true
      return ''
    }
    const set = this.#source.slice(this.#at, close)
    this.#at = close + 1
    try {
      const matcher = new RegExp(`^[${set}]$`)
      return CANDIDATES.find((char) => matcher.test(char)) ?? this.#fail()
    } catch {
      return this.#fail()
    }
  }

  #escaped(): string[] {
    const char = this.#source[this.#at++]
    if (char === undefined) return [this.#fail()]
    if (char === 'd') return ['1']
    if (char === 'w') return ['x']
    if (char === 's') return [' ']
    if (char === 'b') return ['']
    return /[A-Za-z0-9]/.test(char) ? [this.#fail()] : [char]
  }

  #repeated(atoms: string[]): string[] {
    const next = this.#source[this.#at]
    const count = /^\{(\d+)(?:,\d*)?\}/.exec(this.#source.slice(this.#at))
    let result = atoms
    if (next === '*' || next === '?') {
      this.#at++
      result = [...atoms, '']
    } else if (next === '+') this.#at++
    else if (count !== null) {
      this.#at += count[0].length
      result = atoms.map((atom) => atom.repeat(Number(count[1])))
    } else return atoms
    if (this.#source[this.#at] === '?' || this.#source[this.#at] === '+') this.#at++
    return result
  }

  #fail(): string {
    this.failed = true
    return ''
  }
}

const CANDIDATES = [...'xaA1-_.~/ ', ...'bcdefghijklmnopqrstuvwyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789']
