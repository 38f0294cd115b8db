import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { ExpiresConfig } from './config.ts'
import { parseLifetime } from './lifetime.ts'

const INDEXES = { scope: 'directory', context: contexts.anywhere, override: 'Indexes' } as const

export const directives: DirectiveTable<ExpiresConfig, undefined> = {
  ExpiresActive: directive.flag<ExpiresConfig>({
    ...INDEXES,
    help: 'whether responses have Expires and Cache-Control fields',
    set: (config, on) => {
      config.active = on
    },
  }),
  ExpiresByType: directive.take2<ExpiresConfig>({
    ...INDEXES,
    help: 'a media type, and the lifetime of its responses in caches',
    set: (config, type, code) => {
      if (!type.includes('/')) return 'Invalid mimetype: should contain a slash'
      const lifetime = parseLifetime(code)
      if (typeof lifetime === 'string') return `'ExpiresByType ${type} ${code}': ${lifetime}`
      config.byType.set(type.toLowerCase(), lifetime)
      if (type.endsWith('/*')) config.hasWildcards = true
      return undefined
    },
  }),
  ExpiresDefault: directive.take1<ExpiresConfig>({
    ...INDEXES,
    help: 'lifetime of all other responses in caches',
    set: (config, code) => {
      const lifetime = parseLifetime(code)
      if (typeof lifetime === 'string') return `'ExpiresDefault ${code}': ${lifetime}`
      config.standard = lifetime
      return undefined
    },
  }),
}
