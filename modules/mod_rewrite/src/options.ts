/** Bits of the options of RewriteOptions. */
export const INHERIT = 1
export const INHERIT_BEFORE = 2
export const NO_SLASH = 4
export const ANY_URI = 8
export const MERGE_BASE = 16
export const INHERIT_DOWN = 32
export const INHERIT_DOWN_BEFORE = 64
export const IGNORE_INHERIT = 128
export const IGNORE_CONTEXT = 256
export const LEGACY_PREFIX = 512
export const UNSAFE_PREFIX = 1024

const WORDS: ReadonlyMap<string, number> = new Map([
  ['inherit', INHERIT],
  ['inheritbefore', INHERIT_BEFORE],
  ['inheritdown', INHERIT_DOWN],
  ['inheritdownbefore', INHERIT_DOWN_BEFORE],
  ['ignoreinherit', IGNORE_INHERIT],
  ['allownoslash', NO_SLASH],
  ['allowanyuri', ANY_URI],
  ['mergebase', MERGE_BASE],
  ['ignorecontextinfo', IGNORE_CONTEXT],
  ['legacyprefixdocroot', LEGACY_PREFIX],
  ['unsafeprefixstat', UNSAFE_PREFIX],
])

/** The bit of an option, whose case is ignored; undefined if there is no such option. */
export function optionBit(word: string): number | undefined {
  return WORDS.get(word.toLowerCase())
}

/** An option of httpd 2.2, which only causes a warning. */
export function isMaxRedirects(word: string): boolean {
  return word.toLowerCase().startsWith('maxredirects=')
}
