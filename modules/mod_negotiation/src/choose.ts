import { type Best, better, betterByRvsa, type LengthOf } from './compare.ts'
import { judge, judgePreferred, type Priorities } from './judge.ts'
import { isIdentity, type Variant } from './variant.ts'
import type { Wishes } from './wishes.ts'

/** The variant to send; `list` when the client is to choose, or nothing is acceptable. */
export type Choice =
  | { readonly kind: 'variant'; readonly variant: Variant }
  | { readonly kind: 'list'; readonly acceptable: boolean }

/** The system may be asked for a length. */
const STEPS_OF_A_COMPARISON = 4

/** Finds the variant that suits the client best, in steps for `inTurns`. A language that `prefer-language` names is tried alone first. */
export function* choose(
  variants: readonly Variant[],
  wishes: Wishes,
  priorities: Priorities,
  lengthOf: LengthOf,
): Generator<number, Choice> {
  const candidates = variants.filter((variant) => !isLeftOut(variant, wishes))
  const { preferredLanguage } = wishes
  const cost = stepsOfAVariant(wishes, priorities)
  if (preferredLanguage !== null) {
    const inLanguage = candidates.filter(({ languages }) => languages.includes(preferredLanguage))
    for (const variant of inLanguage) {
      yield cost
      judgePreferred(variant, wishes)
    }
    const choice = yield* bestOf(inLanguage, wishes, lengthOf)
    if (choice.kind === 'variant') return choice
  }
  const someHaveLanguages = variants.some(({ languages }) => languages.length > 0)
  for (const variant of candidates) {
    yield cost
    judge(variant, wishes, priorities, someHaveLanguages)
  }
  return yield* bestOf(candidates, wishes, lengthOf)
}

/** Each variant is held against all that the client and the server name. */
function stepsOfAVariant({ types, languages, encodings, charsets }: Wishes, priorities: Priorities): number {
  const named = types.length + (languages?.length ?? 0) + (encodings?.length ?? 0) + (charsets?.length ?? 0)
  return 1 + (named + priorities.languages.length) / NAMES_IN_A_STEP
}

const NAMES_IN_A_STEP = 16

function* bestOf(variants: readonly Variant[], { transparency }: Wishes, lengthOf: LengthOf): Generator<number, Choice> {
  let best: Best = { variant: null, quality: 0 }
  if (transparency.mayChoose) {
    for (const variant of variants) {
      yield STEPS_OF_A_COMPARISON
      best = transparency.byRvsa ? betterByRvsa(variant, best) : better(variant, best, lengthOf)
    }
  }
  const { variant } = best
  // By RFC 2296 only a definite variant may be chosen for the client.
  if (variant === null || (transparency.byRvsa && !variant.definite)) return { kind: 'list', acceptable: variant !== null }
  return { kind: 'variant', variant }
}

function isLeftOut({ encoding, mimeType }: Variant, { withoutEncoding }: Wishes): boolean {
  if (withoutEncoding === 'none' || isIdentity(encoding) || encoding === 'identity') return false
  return withoutEncoding === 'all' || !mimeType.startsWith('text/html')
}
