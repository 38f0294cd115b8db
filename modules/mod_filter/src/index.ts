import { defineModule, type Module } from '@gatewright/api'
import { createFilterConfig, type FilterConfig, mergeFilterConfig } from './config.ts'
import { directives } from './directives.ts'

const filter: Module<FilterConfig> = defineModule({
  name: 'filter_module',
  source: 'mod_filter.c',
  perDirectory: { create: createFilterConfig, merge: mergeFilterConfig },
  directives,
  register({ hooks, configOf, log }) {
    hooks.insertFilter.add((request) => {
      const { filters, chain } = configOf(request)
      for (const name of chain.names) {
        const found = filters.get(name)
        if (found === undefined) log.write(request, 'warn', 'AH01380', `Unknown filter ${name} not added`)
        else request.addOutputFilter(found.bound(log))
      }
    })
  },
})
export default filter
