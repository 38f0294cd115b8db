import type { Lifetime } from './lifetime.ts'

export interface ExpiresConfig {
  active?: boolean
  /** By media type in lower case: `text/html`, or `text/*` for all subtypes. */
  readonly byType: Map<string, Lifetime>
  /** Whether lines for all subtypes count. */
  hasWildcards: boolean
  standard?: Lifetime
}

export function createExpiresConfig(): ExpiresConfig {
  return { byType: new Map(), hasWildcards: false }
}

export function mergeExpiresConfig(base: Readonly<ExpiresConfig>, over: Readonly<ExpiresConfig>): ExpiresConfig {
  return {
    active: over.active ?? base.active,
    byType: over.byType.size === 0 ? base.byType : new Map([...base.byType, ...over.byType]),
    // As in httpd, lines for all subtypes count only if the section that is merged last has one.
    hasWildcards: over.hasWildcards,
    standard: over.standard ?? base.standard,
  }
}
