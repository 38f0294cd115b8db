import { type Command, contexts, type DirectiveTable, directive, FILTER_RANK, type SetResult } from '@gatewright/api'
import { changeChain } from './chain.ts'
import type { FilterConfig } from './config.ts'
import { hasType } from './content-type.ts'
import { type FilterProvider, SmartFilter } from './smart-filter.ts'

const OPTIONS = { scope: 'directory', context: contexts.anywhere, override: 'Options' } as const

const RANKS: Readonly<Record<string, number>> = {
  RESOURCE: FILTER_RANK.resource,
  CONTENT_SET: FILTER_RANK.contentSet,
  PROTOCOL: FILTER_RANK.protocol,
  TRANSCODE: FILTER_RANK.transcode,
  CONNECTION: FILTER_RANK.connection,
  NETWORK: FILTER_RANK.network,
}

export const directives: DirectiveTable<FilterConfig, undefined> = {
  FilterDeclare: directive.take12<FilterConfig>({
    ...OPTIONS,
    help: 'name of a filter, and its type: RESOURCE, CONTENT_SET, PROTOCOL, TRANSCODE, CONNECTION or NETWORK',
    set: ({ filters }, name, type) => {
      const rank = RANKS[type?.toUpperCase() ?? ''] ?? FILTER_RANK.resource
      const known = filters.get(name)
      if (known === undefined) filters.set(name, new SmartFilter(name, rank))
      else known.declare(rank)
    },
  }),
  FilterProvider: directive.take3<FilterConfig>({
    ...OPTIONS,
    help: 'name of a filter, a provider for it, and an expression that selects the provider',
    set: (config, name, provider, expression, command) => {
      const condition = command.services.condition(expression, command)
      if ('error' in condition) return `Error parsing FilterProvider expression:${condition.error}`
      return addProvider(config, name, provider, (request) => condition.test(request), command)
    },
  }),
  FilterChain: directive.iterate<FilterConfig>({
    ...OPTIONS,
    help: 'names of filters, with +, @, -, = or ! before them',
    set: (config, word) => {
      changeChain(config.chain, word)
    },
  }),
  FilterProtocol: directive.take23<FilterConfig>({
    ...OPTIONS,
    help: 'name of a filter, a provider, and its effect on the protocol; checked, without effect',
    set: ({ filters }, name, second, third) => {
      const filter = filters.get(name)
      if (filter === undefined) return 'FilterProtocol: No such filter'
      const known = third === undefined || filter.hasProvider(second)
      return known ? undefined : 'FilterProtocol: No such provider for this filter'
    },
  }),
  FilterTrace: directive.take2<FilterConfig>({
    scope: 'directory',
    context: ['server', 'virtualhost', 'directory'],
    help: 'name of a filter, and its trace level; checked, without effect',
    set: ({ filters }, name) => (filters.has(name) ? undefined : `Undeclared smart filter ${name}`),
  }),
  AddOutputFilterByType: directive.iterate2<FilterConfig>({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'filters separated by ;, and the media types of responses to which they apply',
    set: (config, names, type, command) => {
      for (const provider of names.split(';')) {
        if (provider === '') continue
        const name = `BYTYPE:${provider}`
        const isNew = !config.filters.has(name)
        const error = addProvider(config, name, provider, (request) => hasType(request, type), command)
        if (error !== undefined) return error
        if (isNew) changeChain(config.chain, `+${name}`)
      }
      return undefined
    },
  }),
}

function addProvider(
  { filters }: FilterConfig,
  name: string,
  provider: string,
  applies: FilterProvider['applies'],
  { services }: Command,
): SetResult {
  const filter = services.providers.outputFilters.get(provider)
  if (filter === undefined) return `Unknown filter provider ${provider}`
  let smart = filters.get(name)
  if (smart === undefined) {
    smart = new SmartFilter(name)
    filters.set(name, smart)
  }
  smart.add({ name: provider, filter, applies })
  return undefined
}
