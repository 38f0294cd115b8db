import { defineModule, type Module } from '@gatewright/api'
import { nameCoding } from './coding-name.ts'
import { mergeNegotiationConfig, type NegotiationConfig, type NegotiationServerConfig } from './config.ts'
import { directives } from './directives.ts'
import { handleTypeMap } from './map-handler.ts'
import { multiViews } from './multi-views.ts'
import type { NegotiationContext } from './negotiation.ts'

const negotiation: Module<NegotiationConfig, NegotiationServerConfig> = defineModule({
  name: 'negotiation_module',
  source: 'mod_negotiation.c',
  capabilities: ['fs'],
  perDirectory: { create: () => ({}), merge: mergeNegotiationConfig },
  perServer: {
    create: () => ({}),
    merge: (base, over) => ({ cacheNegotiatedDocs: over.cacheNegotiatedDocs ?? base.cacheNegotiatedDocs }),
  },
  directives,
  register({ hooks, services, configOf, serverConfigOf, log }) {
    const context: NegotiationContext = {
      log,
      fileText: (path, limit) => services.fileText(path, limit),
      configOf,
      mayBeCached: ({ server }) => serverConfigOf(server).cacheNegotiatedDocs === true,
    }
    hooks.fixups.add(nameCoding)
    hooks.typeChecker.add((request) => multiViews(request, context), { rank: 'first' })
    hooks.handler.add((request) => handleTypeMap(request, context))
  },
})
export default negotiation
