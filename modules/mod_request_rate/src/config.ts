import type { RateLimit } from './rate-limit.ts'

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface RateConfig {
  /** The limits of the section, which replace those of outer ones; null for `off`. */
  limits?: readonly RateLimit[] | null
  /** RequestRateDryRun. */
  dryRun?: boolean
}

export function mergeRates(base: Readonly<RateConfig>, over: Readonly<RateConfig>): RateConfig {
  return { limits: over.limits === undefined ? base.limits : over.limits, dryRun: over.dryRun ?? base.dryRun }
}
