import { defineModule, type Module } from '@gatewright/api'
import { type AutoindexConfig, createAutoindexConfig, mergeAutoindexConfig } from './config.ts'
import { directives } from './directives.ts'
import { createHandler } from './handler.ts'

const autoindex: Module<AutoindexConfig> = defineModule({
  name: 'autoindex_module',
  source: 'mod_autoindex.c',
  capabilities: ['fs'],
  perDirectory: { create: createAutoindexConfig, merge: mergeAutoindexConfig },
  directives,
  register({ hooks, configOf, services, log }) {
    hooks.handler.add(createHandler(configOf, services, log))
  },
})
export default autoindex
