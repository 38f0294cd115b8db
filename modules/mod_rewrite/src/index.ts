import { defineModule, type Module } from '@gatewright/api'
import { createRewriteConfig, mergeRewriteConfig, type RewriteConfig } from './config.ts'
import { directives } from './directives.ts'
import { Engine } from './engine.ts'
import { rewriteInDirectory } from './fixup.ts'
import { forceType } from './forced-type.ts'
import { serveRedirect } from './redirect-handler.ts'
import { translate } from './translate.ts'

const rewrite: Module<RewriteConfig> = defineModule({
  name: 'rewrite_module',
  source: 'mod_rewrite.c',
  perDirectory: { create: createRewriteConfig, merge: mergeRewriteConfig },
  directives,
  register({ hooks, configOf, log, services, functions }) {
    const engine = new Engine(log, services, functions)
    hooks.translateName.add((request) => translate(request, configOf(request), engine), { rank: 'first' })
    hooks.fixups.add((request) => rewriteInDirectory(request, configOf(request), engine), { rank: 'first' })
    hooks.fixups.add((request) => forceType(request, engine.traceOf), { rank: 'last' })
    hooks.handler.add(serveRedirect)
  },
})
export default rewrite
