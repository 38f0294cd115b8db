import { contexts, defineModule, directive, FILTER_RANK, type Module } from '@gatewright/api'
import { rewriteRequestBody, UpperCase } from '@gatewright/filters'

interface CaseConfig {
  enabled?: boolean
}

/** CaseFilterIn: reads request bodies in capitals, an example of an input filter. */
const caseFilterIn: Module<undefined, CaseConfig> = defineModule<undefined, CaseConfig>({
  name: 'case_filter_in_module',
  source: 'mod_case_filter_in.c',
  perServer: { create: () => ({}) },
  directives: {
    CaseFilterIn: directive.flag<CaseConfig>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Run an input case filter on this host',
      set: (config, on) => {
        config.enabled = on
      },
    }),
  },
  register({ hooks, providers, serverConfigOf }) {
    providers.inputFilters.add('CaseFilterIn', {
      name: 'CaseFilterIn',
      rank: FILTER_RANK.contentSet,
      filter: (request, body) => rewriteRequestBody(request, body, new UpperCase()),
    })
    hooks.insertFilter.add((request) => {
      if (serverConfigOf(request.server).enabled === true) request.addInputFilter('CaseFilterIn')
    })
  },
})
export default caseFilterIn
