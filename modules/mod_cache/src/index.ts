import { defineModule, type Module } from '@gatewright/api'
import { Cache } from './cache.ts'
import { type CacheConfig, type CacheServerConfig, mergeCacheConfig, mergeCacheServerConfig } from './config.ts'
import { directives } from './directives.ts'
import { addLintRules } from './lint.ts'

/** An HTTP cache (RFC 9111) in front of everything that the server does, or of its handlers. */
const cache: Module<CacheConfig, CacheServerConfig> = defineModule<CacheConfig, CacheServerConfig>({
  name: 'cache_module',
  source: 'mod_cache.c',
  capabilities: ['fs'],
  perDirectory: { create: () => ({ enabled: [], disabled: [] }), merge: mergeCacheConfig },
  perServer: { create: () => ({}), merge: mergeCacheServerConfig },
  directives,
  register(host) {
    const { hooks, providers } = host
    addLintRules(host)
    const answers = new Cache(host)
    providers.outputFilters.add(answers.placed.name, answers.placed)
    hooks.quickHandler.add((request) => answers.quick(request), { rank: 'first' })
    // What mod_headers changes is stored with the response, except where the filter CACHE is placed before it.
    const headers = ['mod_headers.c']
    hooks.handler.add((request) => answers.handle(request, 'standard'), { rank: 'really-first', before: headers })
    hooks.handler.add((request) => answers.handle(request, 'placed'), { rank: 'really-first', after: headers })
    hooks.insertFilter.add((request) => answers.insertFilter(request))
    hooks.insertErrorFilter.add((request) => answers.insertErrorFilter(request))
    hooks.fixupHeaders.add((request) => answers.finish(request), { rank: 'really-last' })
  },
})
export default cache
