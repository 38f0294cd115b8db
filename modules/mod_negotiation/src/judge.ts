import type { AcceptItem } from './accept-list.ts'
import type { ForcedPriority } from './config.ts'
import { isIdentity, type TypeMatch, type Variant } from './variant.ts'
import type { Wishes } from './wishes.ts'

/** The server's own order of languages. */
export interface Priorities {
  readonly languages: readonly string[]
  readonly force: ForcedPriority
}

/** The quality of a variant without language where others have one; a client that means its fields literally gets 1. */
const NO_LANGUAGE = Math.fround(0.0001)
/** That of `en` for a client that asks for nothing but `en-US`. */
const SHORTER_LANGUAGE = Math.fround(0.001)
/** That of a language which is served only because Fallback says so. */
const FALLBACK_LANGUAGE = Math.fround(0.0001)
const UNENCODED_UNNAMED = Math.fround(0.0001)

/** Fills in how well a variant suits the client in each respect. */
export function judge(variant: Variant, wishes: Wishes, priorities: Priorities, someHaveLanguages: boolean): void {
  judgeType(variant, wishes)
  judgeLanguage(variant, wishes, priorities, someHaveLanguages)
  judgeEncoding(variant, wishes)
  judgeCharset(variant, wishes)
}

/** The same for a variant in the language that `prefer-language` names, whatever Accept-Language says. */
export function judgePreferred(variant: Variant, wishes: Wishes): void {
  judgeType(variant, wishes)
  variant.languageQuality = 1
  variant.definite = true
  judgeEncoding(variant, wishes)
  judgeCharset(variant, wishes)
}

const CLOSENESS: Readonly<Record<TypeMatch, number>> = { none: 0, any: 1, kind: 2, exact: 3 }

/** The closest range counts: the type itself, then any of its kind, then any. */
function judgeType(variant: Variant, { types, weighsTypes, transparency }: Wishes): void {
  let quality = 0
  let definite = true
  variant.typeMatch = 'none'
  for (const range of types) {
    const match = matchType(range, variant)
    if (match === 'exact') variant.levelMatched = variant.level
    if (CLOSENESS[match] <= CLOSENESS[variant.typeMatch]) continue
    variant.typeMatch = match
    // Browsers that weigh nothing list what they like and end with a wildcard, by which they mean the rest.
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

function judgeLanguage(variant: Variant, wishes: Wishes, priorities: Priorities, someHaveLanguages: boolean): void {
  if (variant.languages.length === 0) {
    if (!wishes.transparency.literal) variant.languageQuality = someHaveLanguages ? NO_LANGUAGE : 1
    return
  }
  if (wishes.languages === null) variant.definite = false
  else variant.languageQuality = languageQuality(variant, wishes.languages, wishes.transparency.literal)
  applyPriorities(variant, priorities)
}

/** Of each tag of the variant the longest range counts; of those the best. A wildcard takes what no range fits. */
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

/** The lowest place of any tag in LanguagePriority, where `en` stands for en-GB as well; -1 for none. */
function bestIndex(priority: readonly string[], tags: readonly string[]): number {
  return priority.findIndex((wanted) => tags.some((tag) => tag.toLowerCase().startsWith(wanted.toLowerCase())))
}

function judgeEncoding(variant: Variant, { encodings }: Wishes): void {
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

/** `x-gzip` is `gzip`. */
export function withoutX(encoding: string): string {
  return encoding.startsWith('x-') ? encoding.slice(2) : encoding
}

const STANDARD_CHARSET = 'iso-8859-1'

function judgeCharset(variant: Variant, { charsets, transparency }: Wishes): void {
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
