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
    // Redirects have a lifetime too. The filter itself skips responses that have none.
    hooks.insertFilter.add((request) => filter.addTo(request))
    hooks.insertErrorFilter.add((request) => filter.addTo(request))
  },
})
export default expires
