import { product } from './quality.ts'
import type { Variant } from './variant.ts'

/** Length of a variant in bytes. Called only if everything else is equal. */
export type LengthOf = (variant: Variant) => number

/** The best variant so far, and the quality that the next one is compared with. */
export interface Best {
  readonly variant: Variant | null
  readonly quality: number
}

/**
 * httpd's order: media type times source quality, language, its index in LanguagePriority, level, character
 * set, coding, length.
 */
export function better(variant: Variant, best: Best, lengthOf: LengthOf): Best {
  if (isUnacceptable(variant)) return best
  const quality = product(variant.typeQuality, variant.sourceQuality)
  if (quality === 0 || quality < best.quality) return best
  if (quality > best.quality || best.variant === null) return { variant, quality }
  return wins(variant, best.variant, lengthOf) ? { variant, quality } : best
}

/** RFC 2296, section 3: multiplies all qualities. The coding only breaks ties, but can exclude a variant. */
export function betterByRvsa(variant: Variant, best: Best): Best {
  if (variant.encodingQuality === 0) return best
  const exact = product(variant.typeQuality, variant.sourceQuality, variant.charsetQuality, variant.languageQuality)
  const quality = Math.fround(Math.floor(exact * 100_000 + 0.5) / 100_000)
  if (quality <= 0 || quality < best.quality) return best
  const wins = quality > best.quality || best.variant === null || variant.encodingQuality > best.variant.encodingQuality
  return wins ? { variant, quality } : best
}

function isUnacceptable(variant: Variant): boolean {
  const { typeQuality, sourceQuality, languageQuality, charsetQuality, encodingQuality } = variant
  return [typeQuality, sourceQuality, languageQuality, charsetQuality, encodingQuality].includes(0)
}

/**
 * Compares variants of the same quality: the first difference decides; without one, the earlier variant wins.
 */
function wins(variant: Variant, best: Variant, lengthOf: LengthOf): boolean {
  if (variant.languageQuality !== best.languageQuality) return variant.languageQuality > best.languageQuality
  if (variant.languageIndex !== best.languageIndex) {
    if (variant.languageIndex < 0) return false
    return best.languageIndex < 0 || variant.languageIndex < best.languageIndex
  }
  const level = compareLevels(variant, best)
  if (level !== 0) return level > 0
  if (variant.charsetQuality !== best.charsetQuality) return variant.charsetQuality > best.charsetQuality
  if (!isStandardCharset(variant.charset) && isStandardCharset(best.charset)) return true
  if (variant.encodingQuality !== best.encodingQuality) return variant.encodingQuality > best.encodingQuality
  return lengthOf(variant) < lengthOf(best)
}

/** The highest level that the client accepts wins, else the lowest; 0 for different types. */
function compareLevels(a: Variant, b: Variant): number {
  if (a.mimeType !== b.mimeType) return 0
  return a.levelMatched === b.levelMatched ? b.level - a.level : a.levelMatched - b.levelMatched
}

function isStandardCharset(charset: string): boolean {
  return charset === '' || charset === 'iso-8859-1'
}
