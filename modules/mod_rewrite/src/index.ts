import { defineModule, type Module, type Server } from '@gatewright/api'
import { prepareStatement } from '@gatewright/api/peers'
import { createRewriteConfig, mergeRewriteConfig, type RewriteConfig } from './config.ts'
import { directives } from './directives.ts'
import { Engine } from './engine.ts'
import { rewriteInDirectory } from './fixup.ts'
import { forceType } from './forced-type.ts'
import { labelOf } from './maps/sql-map.ts'
import { serveRedirect } from './redirect-handler.ts'
import { translate } from './translate.ts'

const rewrite: Module<RewriteConfig> = defineModule({
  name: 'rewrite_module',
  source: 'mod_rewrite.c',
  capabilities: ['child-process', 'fs'],
  perDirectory: { create: createRewriteConfig, merge: mergeRewriteConfig },
  directives,
  register({ hooks, configOf, defaultsOf, log, services, functions }) {
    const engine = new Engine(log, services, functions)
    const prepareMaps = (server: Server): void => {
      for (const { query } of defaultsOf(server).own?.maps.values() ?? []) {
        if (query !== undefined) functions.get(prepareStatement)?.(server, query, labelOf(query))
      }
    }
    hooks.checkConfig.add(({ servers }) => {
      for (const server of servers) prepareMaps(server)
    })
    hooks.translateName.add((request) => translate(request, configOf(request), engine), { rank: 'first' })
    hooks.fixups.add((request) => rewriteInDirectory(request, configOf(request), engine), { rank: 'first' })
    hooks.fixups.add((request) => forceType(request, engine.traceOf), { rank: 'last' })
    hooks.handler.add(serveRedirect)
  },
})
export default rewrite
