import { type Best, better, betterByRvsa, type LengthOf } from './compare.ts'
import { judge, judgePreferred, type Priorities } from './judge.ts'
import { isIdentity, type Variant } from './variant.ts'
import type { Wishes } from './wishes.ts'

/** The variant to send; `list` when the client is to choose, or nothing is acceptable. */
export type Choice =
  | { readonly kind: 'variant'; readonly variant: Variant }
  | { readonly kind: 'list'; readonly acceptable: boolean }

/** Finds the variant that suits the client best. A language that `prefer-language` names is tried alone first. */
export function choose(variants: readonly Variant[], wishes: Wishes, priorities: Priorities, lengthOf: LengthOf): Choice {
  const candidates = variants.filter((variant) => !isLeftOut(variant, wishes))
  const { preferredLanguage } = wishes
  if (preferredLanguage !== null) {
    const inLanguage = candidates.filter(({ languages }) => languages.includes(preferredLanguage))
    for (const variant of inLanguage) judgePreferred(variant, wishes)
    const choice = bestOf(inLanguage, wishes, lengthOf)
    if (choice.kind === 'variant') return choice
  }
  const someHaveLanguages = variants.some(({ languages }) => languages.length > 0)
  for (const variant of candidates) judge(variant, wishes, priorities, someHaveLanguages)
  return bestOf(candidates, wishes, lengthOf)
}

function bestOf(variants: readonly Variant[], { transparency }: Wishes, lengthOf: LengthOf): Choice {
  let best: Best = { variant: null, quality: 0 }
  if (transparency.mayChoose) {
    for (const variant of variants) best = transparency.byRvsa ? betterByRvsa(variant, best) : better(variant, best, lengthOf)
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
