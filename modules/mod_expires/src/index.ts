import { defineModule, type Module } from '@gatewright/api'
import { createExpiresConfig, type ExpiresConfig, mergeExpiresConfig } from './config.ts'
import { directives } from './directives.ts'
import { ExpiresFilter } from './expires-filter.ts'

const expires: Module<ExpiresConfig> = defineModule({
  name: 'expires_module',
  source: 'mod_expires.c',
  perDirectory: { create: createExpiresConfig, merge: mergeExpiresConfig },
  directives,
  register({ hooks, providers, configOf }) {
    const filter = new ExpiresFilter(configOf)
    providers.outputFilters.add(filter.name, filter)
    // A redirect has a time as well; whether a response is one that has none is seen when it is made.
    hooks.insertFilter.add((request) => filter.addTo(request))
    hooks.insertErrorFilter.add((request) => filter.addTo(request))
  },
})
export default expires
