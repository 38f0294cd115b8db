import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { ForcedPriority, NegotiationConfig, NegotiationServerConfig } from './config.ts'

export const directives: DirectiveTable<NegotiationConfig, NegotiationServerConfig> = {
  LanguagePriority: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'language tags in order of preference',
    set: (config, tag) => {
      config.languagePriority ??= []
      config.languagePriority.push(tag)
    },
  }),
  ForceLanguagePriority: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'None, or Prefer and Fallback: cases in which LanguagePriority decides',
    set: (config, word) => {
      const combined = combine(config.forcePriority, word)
      if (typeof combined === 'string') return combined
      config.forcePriority = combined
      return undefined
    },
  }),
  CacheNegotiatedDocs: directive.flag({
    scope: 'server',
    context: contexts.inServers,
    help: 'whether caches may store negotiated responses to HTTP/1.0 requests',
    set: (config, on) => {
      config.cacheNegotiatedDocs = on
    },
  }),
}

/**
 * Adds an option to the preceding ones. None cannot be combined with others. @returns an error text in that
 * case
 */
function combine(before: ForcedPriority | undefined, word: string): ForcedPriority | string {
  const none = before !== undefined && !before.prefer && !before.fallback
  switch (word.toLowerCase()) {
    case 'none':
      return before === undefined || none
        ? { prefer: false, fallback: false }
        : 'Cannot combine ForceLanguagePriority options with None'
    case 'prefer':
      if (none) return 'Cannot combine ForceLanguagePriority options None and Prefer'
      return { prefer: true, fallback: before?.fallback ?? false }
    case 'fallback':
      if (none) return 'Cannot combine ForceLanguagePriority options None and Fallback'
      return { prefer: before?.prefer ?? false, fallback: true }
    default:
      return `Invalid ForceLanguagePriority option ${word}`
  }
}
