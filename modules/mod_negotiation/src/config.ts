/**
 * Additional uses of LanguagePriority: to break ties between languages, and to serve a request for languages
 * that do not exist.
 */
export interface ForcedPriority {
  readonly prefer: boolean
  readonly fallback: boolean
}

export interface NegotiationConfig {
  /** Language tags, the preferred one first. */
  languagePriority?: string[]
  forcePriority?: ForcedPriority
}

export interface NegotiationServerConfig {
  cacheNegotiatedDocs?: boolean
}

/** Default of ForceLanguagePriority. */
export const STANDARD_FORCE: ForcedPriority = { prefer: true, fallback: false }

export function mergeNegotiationConfig(base: Readonly<NegotiationConfig>, over: Readonly<NegotiationConfig>): NegotiationConfig {
  return {
    languagePriority: over.languagePriority ?? base.languagePriority,
    forcePriority: over.forcePriority ?? base.forcePriority,
  }
}
