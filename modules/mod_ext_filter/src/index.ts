import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { FilterPrograms } from '@gatewright/cgi'
import { type ExtFilterConfig, type ExtFilterServerConfig, mergeConfig } from './config.ts'
import { parseDefinition } from './definition.ts'
import { ExternalFilter } from './external-filter.ts'

/** Filters that are programs of the system. */
const extFilter: Module<ExtFilterConfig, ExtFilterServerConfig> = defineModule<ExtFilterConfig, ExtFilterServerConfig>({
  name: 'ext_filter_module',
  source: 'mod_ext_filter.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: { create: () => ({}), merge: mergeConfig },
  perServer: { create: () => ({ defined: new Map() }) },
  directives: {
    ExtFilterDefine: directive.raw<ExtFilterServerConfig>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Define an external filter',
      set: ({ defined }, text, { services }) => {
        const definition = parseDefinition(text)
        if (typeof definition === 'string') return definition
        if (defined.has(definition.name)) return `ExtFilter ${definition.name} is already defined`
        const filter = new ExternalFilter(definition)
        defined.set(definition.name, filter)
        if (definition.mode === 'output') services.providers.outputFilters.add(definition.name, filter)
        else services.providers.inputFilters.add(definition.name, filter.ofRequests)
        return undefined
      },
    }),
    ExtFilterOptions: directive.iterate<ExtFilterConfig>({
      scope: 'directory',
      context: ['directory'],
      help: 'valid options: LogStderr, NoLogStderr',
      set: (config, word) => {
        const option = word.toLowerCase()
        if (option === 'logstderr') config.logStderr = true
        else if (option === 'nologstderr') config.logStderr = false
        else if (option === 'onfail=remove') config.removesFailed = true
        else return `Invalid ExtFilterOptions option: ${word}`
        return undefined
      },
    }),
  },
  register(host) {
    const programs = new FilterPrograms(host)
    const parts = { programs, services: host.services, log: host.log, configOf: host.configOf }
    let hasFilters = false
    host.hooks.checkConfig.add(({ servers }) => {
      for (const server of servers) {
        for (const filter of host.serverConfigOf(server).defined.values()) {
          filter.attach(parts)
          hasFilters = true
        }
      }
    })
    host.hooks.childInit.add(() => {
      if (hasFilters) programs.begin()
    })
  },
})
export default extFilter
