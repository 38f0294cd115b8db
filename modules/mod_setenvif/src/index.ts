import { defineModule, type Module } from '@gatewright/api'
import { applyRules } from './apply.ts'
import { createSetenvifConfig, mergeSetenvifConfig, type SetenvifConfig } from './config.ts'
import { directives } from './directives.ts'

const setenvif: Module<SetenvifConfig> = defineModule({
  name: 'setenvif_module',
  source: 'mod_setenvif.c',
  perDirectory: { create: createSetenvifConfig, merge: mergeSetenvifConfig },
  directives,
  register({ hooks, configOf, services, log }) {
    hooks.postReadRequest.add((request) => applyRules(request, configOf(request).server, services, log))
    hooks.headerParser.add((request) => applyRules(request, configOf(request).sections, services, log))
  },
})
export default setenvif
