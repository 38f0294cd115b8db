/** What LanguagePriority is used for besides: to break ties between languages, and to rescue a request for languages that there are not. */
export interface ForcedPriority {
  readonly prefer: boolean
  readonly fallback: boolean
}

export interface NegotiationConfig {
  /** Language tags, the most wanted first. */
  languagePriority?: string[]
  forcePriority?: ForcedPriority
}

export interface NegotiationServerConfig {
  cacheNegotiatedDocs?: boolean
}

/** ForceLanguagePriority when nothing is said. */
export const STANDARD_FORCE: ForcedPriority = { prefer: true, fallback: false }

export function mergeNegotiationConfig(base: Readonly<NegotiationConfig>, over: Readonly<NegotiationConfig>): NegotiationConfig {
  return {
    languagePriority: over.languagePriority ?? base.languagePriority,
    forcePriority: over.forcePriority ?? base.forcePriority,
  }
}
