import { contexts, defineModule, directive, FILTER_RANK, type Module } from '@gatewright/api'
import { rewriteBody, UpperCase } from '@gatewright/filters'

interface CaseConfig {
  enabled?: boolean
}

/** CaseFilter: sends responses in capitals, an example of an output filter. */
const caseFilter: Module<undefined, CaseConfig> = defineModule<undefined, CaseConfig>({
  name: 'case_filter_module',
  source: 'mod_case_filter.c',
  perServer: { create: () => ({}) },
  directives: {
    CaseFilter: directive.flag<CaseConfig>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Run a case filter on this host',
      set: (config, on) => {
        config.enabled = on
      },
    }),
  },
  register({ hooks, providers, serverConfigOf }) {
    providers.outputFilters.add('CaseFilter', {
      name: 'CaseFilter',
      rank: FILTER_RANK.contentSet,
      filter: (request, body) => rewriteBody(request, body, new UpperCase()),
    })
    hooks.insertFilter.add((request) => {
      if (serverConfigOf(request.server).enabled === true) request.addOutputFilter('CaseFilter')
    })
  },
})
export default caseFilter
