/** Bits of SSLOptions. */
export const STD_ENV_VARS = 1
export const EXPORT_CERT_DATA = 2
export const FAKE_BASIC_AUTH = 4
export const STRICT_REQUIRE = 8
export const OPT_RENEGOTIATE = 16
export const LEGACY_DN_STRING_FORMAT = 32

const BITS: ReadonlyMap<string, number> = new Map([
  ['stdenvvars', STD_ENV_VARS],
  ['exportcertdata', EXPORT_CERT_DATA],
  ['fakebasicauth', FAKE_BASIC_AUTH],
  ['strictrequire', STRICT_REQUIRE],
  ['optrenegotiate', OPT_RENEGOTIATE],
  ['legacydnstringformat', LEGACY_DN_STRING_FORMAT],
])

/** SSLOptions of one section, or of several merged ones. */
export interface SectionOptions {
  /** Those in force. */
  readonly bits: number
  /** What the lines add to and take from the outer section. */
  readonly added: number
  readonly removed: number
  /** A word without sign replaces all that the outer section has. */
  readonly replaces: boolean
}

export const NO_OPTIONS: SectionOptions = { bits: 0, added: 0, removed: 0, replaces: false }

/** Applies the words of a line, or returns what is wrong. A word without sign replaces all before it, in this line too. */
export function applyOptions(options: SectionOptions, words: readonly string[]): SectionOptions | string {
  let { bits, added, removed, replaces } = options
  for (const word of words) {
    const sign = word[0]
    const isSigned = sign === '+' || sign === '-'
    const name = isSigned ? word.slice(1) : word
    const bit = BITS.get(name.toLowerCase())
    if (bit === undefined) return `SSLOptions: Illegal option '${name}'`
    if (sign === '-') {
      added &= ~bit
      removed |= bit
      bits &= ~bit
    } else if (sign === '+') {
      added |= bit
      removed &= ~bit
      bits |= bit
    } else {
      bits = bit
      added = bit
      removed = 0
      replaces = true
    }
  }
  return { bits, added, removed, replaces }
}

export function mergeOptions(base: SectionOptions, over: SectionOptions): SectionOptions {
  if (over.replaces) return over
  const added = (base.added & ~over.removed) | over.added
  const removed = (base.removed & ~over.added) | over.removed
  return { bits: (base.bits & ~removed) | added, added, removed, replaces: base.replaces }
}
