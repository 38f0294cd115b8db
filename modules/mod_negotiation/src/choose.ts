import { type Best, better, betterByRvsa, type LengthOf } from './compare.ts'
import { judge, judgePreferred, type Priorities } from './judge.ts'
import type { Preferences } from './preferences.ts'
import { isIdentity, type Variant } from './variant.ts'

/** The variant to send; `list` if the client is to choose, or if no variant is acceptable. */
export type Choice =
  | { readonly kind: 'variant'; readonly variant: Variant }
  | { readonly kind: 'list'; readonly acceptable: boolean }

/** Cost of a comparison, which may read a file's size. */
const STEPS_OF_A_COMPARISON = 4

/**
 * Finds the best variant for the client, in steps for `inTurns`. The language of `prefer-language` is first
 * tried alone.
 */
export function* choose(
  variants: readonly Variant[],
  preferences: Preferences,
  priorities: Priorities,
  lengthOf: LengthOf,
): Generator<number, Choice> {
  const candidates = variants.filter((variant) => !isLeftOut(variant, preferences))
  const { preferredLanguage } = preferences
  const cost = stepsOfAVariant(preferences, priorities)
  if (preferredLanguage !== null) {
    const inLanguage = candidates.filter(({ languages }) => languages.includes(preferredLanguage))
    for (const variant of inLanguage) {
      yield cost
      judgePreferred(variant, preferences)
    }
    const choice = yield* bestOf(inLanguage, preferences, lengthOf)
    if (choice.kind === 'variant') return choice
  }
  const someHaveLanguages = variants.some(({ languages }) => languages.length > 0)
  for (const variant of candidates) {
    yield cost
    judge(variant, preferences, priorities, someHaveLanguages)
  }
  return yield* bestOf(candidates, preferences, lengthOf)
}

/** Cost of a variant, which is compared with everything that the client and the server list. */
function stepsOfAVariant({ types, languages, encodings, charsets }: Preferences, priorities: Priorities): number {
  const named = types.length + (languages?.length ?? 0) + (encodings?.length ?? 0) + (charsets?.length ?? 0)
  return 1 + (named + priorities.languages.length) / NAMES_IN_A_STEP
}

const NAMES_IN_A_STEP = 16

function* bestOf(variants: readonly Variant[], { transparency }: Preferences, lengthOf: LengthOf): Generator<number, Choice> {
  let best: Best = { variant: null, quality: 0 }
  if (transparency.mayChoose) {
    for (const variant of variants) {
      yield STEPS_OF_A_COMPARISON
      best = transparency.byRvsa ? betterByRvsa(variant, best) : better(variant, best, lengthOf)
    }
  }
  const { variant } = best
  // According to RFC 2296, the server may choose only a definite variant.
  if (variant === null || (transparency.byRvsa && !variant.definite)) return { kind: 'list', acceptable: variant !== null }
  return { kind: 'variant', variant }
}

function isLeftOut({ encoding, mimeType }: Variant, { withoutEncoding }: Preferences): boolean {
  if (withoutEncoding === 'none' || isIdentity(encoding) || encoding === 'identity') return false
  return withoutEncoding === 'all' || !mimeType.startsWith('text/html')
}
