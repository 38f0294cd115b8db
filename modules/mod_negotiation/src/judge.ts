import type { AcceptItem } from './accept-list.ts'
import type { ForcedPriority } from './config.ts'
import type { Preferences } from './preferences.ts'
import { isIdentity, type TypeMatch, type Variant } from './variant.ts'

/** The server's order of languages. */
export interface Priorities {
  readonly languages: readonly string[]
  readonly force: ForcedPriority
}

/**
 * Quality of a variant without a language if other variants have one; 1 if the client's fields are taken
 * literally.
 */
const NO_LANGUAGE = Math.fround(0.0001)
/** Quality of `en` for a client that lists only `en-US`. */
const SHORTER_LANGUAGE = Math.fround(0.001)
/** Quality of a language that is served only because of Fallback. */
const FALLBACK_LANGUAGE = Math.fround(0.0001)
const UNENCODED_UNNAMED = Math.fround(0.0001)

/** Sets the qualities of a variant for a client. */
export function judge(variant: Variant, preferences: Preferences, priorities: Priorities, someHaveLanguages: boolean): void {
  judgeType(variant, preferences)
  judgeLanguage(variant, preferences, priorities, someHaveLanguages)
  judgeEncoding(variant, preferences)
  judgeCharset(variant, preferences)
}

/**
 * Like {@link judge}, for a variant in the language of `prefer-language`, whatever Accept-Language contains.
 */
export function judgePreferred(variant: Variant, preferences: Preferences): void {
  judgeType(variant, preferences)
  variant.languageQuality = 1
  variant.definite = true
  judgeEncoding(variant, preferences)
  judgeCharset(variant, preferences)
}

const CLOSENESS: Readonly<Record<TypeMatch, number>> = { none: 0, any: 1, kind: 2, exact: 3 }

/** The most specific range decides: the type itself, then its main type, then any type. */
function judgeType(variant: Variant, { types, weighsTypes, transparency }: Preferences): void {
  let quality = 0
  let definite = true
  variant.typeMatch = 'none'
  for (const range of types) {
    const match = matchType(range, variant)
    if (match === 'exact') variant.levelMatched = variant.level
    if (CLOSENESS[match] <= CLOSENESS[variant.typeMatch]) continue
    variant.typeMatch = match
    // A browser that sends no qualities lists the types it prefers and adds a wildcard for everything else.
    const made = !transparency.literal && !weighsTypes
    if (made && match === 'any') quality = Math.fround(0.01)
    else if (made && match === 'kind') quality = Math.fround(0.02)
    else quality = range.quality
    definite = match === 'exact'
  }
  variant.typeQuality = quality
  variant.definite = variant.definite && definite
}

function matchType(range: AcceptItem, { mimeType, level }: Variant): TypeMatch {
  const { name } = range
  if (name === '*' || name === '*/*') return 'any'
  if (name.endsWith('/*') && mimeType.startsWith(name.slice(0, -1))) return 'kind'
  const same = name === mimeType || (name === 'text/html' && isParsedHtml(mimeType))
  return same && range.level >= level ? 'exact' : 'none'
}

function isParsedHtml(type: string): boolean {
  return type === 'text/x-server-parsed-html' || type === 'text/x-server-parsed-html3'
}

function judgeLanguage(variant: Variant, preferences: Preferences, priorities: Priorities, someHaveLanguages: boolean): void {
  if (variant.languages.length === 0) {
    if (!preferences.transparency.literal) variant.languageQuality = someHaveLanguages ? NO_LANGUAGE : 1
    return
  }
  if (preferences.languages === null) variant.definite = false
  else variant.languageQuality = languageQuality(variant, preferences.languages, preferences.transparency.literal)
  applyPriorities(variant, priorities)
}

/**
 * For each tag of the variant the longest matching range counts; the best of these decides. A wildcard
 * matches tags without a matching range.
 */
function languageQuality(variant: Variant, ranges: readonly AcceptItem[], literal: boolean): number {
  const star = ranges.find(({ name }) => name === '*')
  let best: AcceptItem | null = null
  let made = 0
  let starMatches = false
  for (const tag of variant.languages) {
    let longest: AcceptItem | null = null
    for (const range of ranges) {
      if (range.name === '*') continue
      if (coversTag(range.name, tag) && range.name.length > (longest?.name.length ?? 0)) longest = range
      // A client that requests only en-US is not offered en.
      const hyphen = range.name.indexOf('-')
      if (longest === null && !literal && hyphen >= 0 && tag.startsWith(range.name.slice(0, hyphen))) made = SHORTER_LANGUAGE
    }
    if (best === null || (longest !== null && longest.quality > best.quality)) best = longest
    if (longest === null && star !== undefined) starMatches = true
  }
  if (starMatches && star !== undefined && (best === null || star.quality > best.quality)) {
    variant.definite = false
    return star.quality
  }
  return best?.quality ?? made
}

function coversTag(range: string, tag: string): boolean {
  return tag.startsWith(range) && (tag.length === range.length || tag[range.length] === '-')
}

function applyPriorities(variant: Variant, { languages, force }: Priorities): void {
  const unacceptable = variant.languageQuality === 0
  if (!(force.prefer && variant.languageIndex < 0) && !(force.fallback && unacceptable)) return
  const index = bestIndex(languages, variant.languages)
  if (index < 0) return
  if (!unacceptable) {
    if (force.prefer) variant.languageIndex = index
  } else if (force.fallback) {
    variant.languageIndex = index
    variant.languageQuality = FALLBACK_LANGUAGE
    variant.definite = false
  }
}

/** The lowest index in LanguagePriority of any tag, where `en` also matches en-GB; -1 if there is none. */
function bestIndex(priority: readonly string[], tags: readonly string[]): number {
  return priority.findIndex((wanted) => tags.some((tag) => tag.toLowerCase().startsWith(wanted.toLowerCase())))
}

function judgeEncoding(variant: Variant, { encodings }: Preferences): void {
  const identity = isIdentity(variant.encoding)
  if (encodings === null) {
    variant.encodingQuality = identity ? 1 : 0.5
    return
  }
  const wanted = identity ? 'identity' : withoutX(variant.encoding ?? '')
  let star: AcceptItem | undefined
  for (const item of encodings) {
    if (withoutX(item.name) === wanted) {
      variant.encodingQuality = item.quality
      return
    }
    if (item.name === '*') star = item
  }
  variant.encodingQuality = star?.quality ?? (identity ? UNENCODED_UNNAMED : 0)
}

/** The name of a coding without `x-`: `x-gzip` is `gzip`. */
export function withoutX(encoding: string): string {
  return encoding.startsWith('x-') ? encoding.slice(2) : encoding
}

const STANDARD_CHARSET = 'iso-8859-1'

function judgeCharset(variant: Variant, { charsets, transparency }: Preferences): void {
  if (charsets === null) {
    if (variant.charset !== '') variant.definite = false
    return
  }
  let { charset } = variant
  if (charset === '') {
    const isText = variant.mimeType.startsWith('text/')
    if (!isText || transparency.literal) return
    charset = STANDARD_CHARSET
  }
  let star: AcceptItem | undefined
  for (const item of charsets) {
    if (item.name === charset) {
      variant.charsetQuality = item.quality
      return
    }
    if (item.name === '*') star = item
  }
  if (star !== undefined) {
    variant.charsetQuality = star.quality
    variant.definite = false
  } else variant.charsetQuality = charset === STANDARD_CHARSET ? 1 : 0
}
