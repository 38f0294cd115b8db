import type { AccessLine, AccessLines } from './access-lines.ts'
import type { HostSet } from './host-set.ts'
import { OTHER_METHODS } from './method-classes.ts'
import { allOf, anyOf, GRANTED, mayBeNeutral, type Requirement } from './requirement.ts'

/** The methods that the lines name, and one for the rest. */
export function methodsOf(sections: readonly AccessLines[]): string[] {
  const named = sections.flatMap(({ lines }) => lines.flatMap(({ methods }) => methods.flatMap(({ names }) => names)))
  return [...new Set(named), OTHER_METHODS]
}

/**
 * True if a section has any of Order, Allow, Deny and Satisfy: then none of these is inherited from an outer
 * section, for any method.
 */
export function hasHostRules({ lines }: AccessLines): boolean {
  return lines.some(isHostLine)
}

export function isHostLine({ kind }: AccessLine): boolean {
  return kind !== 'require' && kind !== 'merging'
}

export function hasRequire({ lines }: AccessLines): boolean {
  return lines.some(({ kind }) => kind === 'require')
}

/** The AuthMerging of a section; null if it has none. */
export function mergingOf({ lines }: AccessLines): 'off' | 'and' | 'or' | null {
  const line = lines.findLast((one) => one.kind === 'merging')
  return line?.merging ?? null
}

/** The old rules of a section for a method. A method to which none of them applies is not denied anywhere. */
export function hostSet({ lines }: AccessLines, method: string): HostSet {
  const mine = lines.filter((line) => isAbout(line, method))
  const order = mine.findLast((line) => line.kind === 'order')
  const satisfy = mine.findLast((line) => line.kind === 'satisfy')
  return {
    order: order?.order ?? 'deny,allow',
    allow: mine.flatMap((line) => (line.kind === 'allow' ? [line.words] : [])),
    deny: mine.flatMap((line) => (line.kind === 'deny' ? [line.words] : [])),
    satisfy: satisfy?.satisfy ?? 'all',
  }
}

/**
 * The Require lines of a section for a method. Lines for other methods are ignored. If all are for others,
 * the method is not restricted.
 */
export function requireSet({ lines }: AccessLines, method: string): Requirement {
  const mine = lines.flatMap((line) => (line.kind === 'require' && isAbout(line, method) ? [line.requirement] : []))
  if (mine.length === 0) return GRANTED
  return mine.length === 1 ? mine[0] : anyOf(mine)
}

/**
 * The Require lines in force at the end of a chain: the last section's, unless AuthMerging joins them.
 * @returns null for none, a reason where they cannot be joined
 */
export function requireInForce(chain: readonly AccessLines[], method: string): Requirement | null | { readonly reason: string } {
  const last = chain.findLast(hasRequire)
  if (chain.every((one) => mergingOf(one) === null)) return last === undefined ? null : requireSet(last, method)
  if (chain.some(({ lines }) => lines.some(({ kind, methods }) => kind === 'require' && methods.length > 0)))
    return { reason: 'AuthMerging joins Require lines here that apply only to some methods' }
  let base: Requirement | null = null
  for (const access of chain) {
    const merging = mergingOf(access)
    if (!hasRequire(access)) {
      if (merging === 'off') base = null
      continue
    }
    const own = requireSet(access, OTHER_METHODS)
    if (base === null || merging === null || merging === 'off') base = own
    else if (mayBeNeutral(base) || mayBeNeutral(own))
      return { reason: 'AuthMerging joins Require lines here that are all negated' }
    else base = merging === 'and' ? allOf([base, own]) : anyOf([base, own])
  }
  return base
}

function isAbout({ methods }: AccessLine, method: string): boolean {
  return methods.every(({ names, except }) => names.includes(method) !== except)
}
