import { contexts, type Directive, type DirectiveTable, directive } from '@gatewright/api'
import type { createConfig, DbdConfig } from './config.ts'

type OwnConfig = ReturnType<typeof createConfig>

export const directives: DirectiveTable<undefined, OwnConfig> = {
  DBDriver: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'SQL Driver',
    set: (config: OwnConfig, name, { services }) => {
      if (services.providers.databaseDrivers.get(name) === undefined) {
        const known = services.providers.databaseDrivers.names().join(', ')
        return { message: `Can't load driver file apr_dbd_${name}.so`, hint: `the drivers are ${known}` }
      }
      config.driver = name
      return undefined
    },
  }),
  DBDParams: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'SQL Driver Params',
    set: (config: OwnConfig, params) => {
      config.params = params
    },
  }),
  DBDPersist: directive.flag({
    scope: 'server',
    context: contexts.inServers,
    help: 'Use persistent connection/pool',
    set: (config: OwnConfig, on) => {
      config.persist = on
    },
  }),
  DBDPrepareSQL: directive.take12({
    scope: 'server',
    context: contexts.inServers,
    help: 'SQL statement to prepare (or nothing, to override statement inherited from main server) and label',
    set: (config: OwnConfig, first, second, command) => {
      addStatement(config, second === undefined ? '' : first, second ?? first, (text) => command.report('warn', 'AH02653', text))
    },
  }),
  DBDMin: number('Minimum number of connections', 'min'),
  DBDKeep: number('Maximum number of sustained connections', 'keep'),
  DBDMax: number('Maximum number of connections', 'max'),
  DBDExptime: number('Keepalive time for idle connections', 'exptime'),
  DBDInitSQL: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'SQL statement to be executed after connection is created',
    set: (config: OwnConfig, sql) => {
      if (sql === '') return 'You should specify SQL statement'
      config.init.push(sql)
      return undefined
    },
  }),
}

/** @param warn gets the text about a label that has another statement already */
export function addStatement(config: DbdConfig, statement: string, label: string, warn: (text: string) => void): void {
  const former = config.statements.get(label)
  if (former !== undefined && former !== statement) warn(`conflicting SQL statements with label ${label}`)
  config.statements.set(label, statement)
}

function number(help: string, name: 'min' | 'keep' | 'max' | 'exptime'): Directive<undefined, OwnConfig> {
  return directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help,
    set: (config: OwnConfig, word) => {
      if (!/^\d*$/.test(word)) return 'Argument must be numeric!'
      config[name] = Number(word)
      return undefined
    },
  })
}
