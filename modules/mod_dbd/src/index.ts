import { defineModule, type Module, type ModuleHost, type Server } from '@gatewright/api'
import { databaseOf, extendMetrics, prepareStatement } from '@gatewright/api/peers'
import { createConfig, type DbdConfig, mergeConfig } from './config.ts'
import { addStatement, directives } from './directives.ts'
import { mysqlDriver } from './drivers/mysql.ts'
import { pgsqlDriver } from './drivers/pgsql.ts'
import { sqliteDriver } from './drivers/sqlite.ts'
import { Databases } from './groups.ts'
import { missingPlaceholderRule, quotedPlaceholderRule, refererRule } from './lint-rules.ts'

/** How long the start of a process waits for its databases (ms); requests may come before they are there. */
const START_PATIENCE = 5_000

const dbd: Module<undefined, ReturnType<typeof createConfig>> = defineModule({
  name: 'dbd_module',
  source: 'mod_dbd.c',
  capabilities: ['fs', 'net', 'worker'],
  perServer: { create: createConfig, merge: mergeConfig },
  directives,
  register(host) {
    const { providers, functions, hooks, log, onEnd } = host
    providers.databaseDrivers.add('sqlite3', sqliteDriver)
    providers.databaseDrivers.add('pgsql', pgsqlDriver)
    providers.databaseDrivers.add('mysql', mysqlDriver)

    providers.lintRules.add('DBD001', quotedPlaceholderRule)
    providers.lintRules.add('DBD002', missingPlaceholderRule)
    providers.lintRules.add('DBD003', refererRule)

    const databases = new Databases(host)
    const added = new Map<Server, DbdConfig>()
    functions.offer(prepareStatement, (server, statement, label) => {
      const config = added.get(server) ?? createConfig()
      added.set(server, config)
      addStatement(config, statement, label, (text) => log.write(server, 'warn', 'AH02653', text))
    })
    functions.offer(databaseOf, (server) => databases.of(server))
    let isServed = true
    hooks.postConfig.add(({ servers, checkOnly }) => {
      isServed = !checkOnly
      for (const server of servers) databases.add(server, complete(host, servers[0], server, added))
    })
    hooks.childInit.add(async () => {
      // An explanation opens connections when it has a question.
      if (!isServed) return
      let late: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        late = setTimeout(resolve, START_PATIENCE)
      })
      await Promise.race([databases.start(), patience])
      clearTimeout(late)
    })
    host.optionalHooks.add(extendMetrics, () => databases.guarded.metrics())
    onEnd(() => databases.close())
  },
})

/** The configuration of a server with the statements that modules added for it or for the main server. */
function complete(
  host: ModuleHost<undefined, DbdConfig>,
  main: Server | undefined,
  server: Server,
  added: ReadonlyMap<Server, DbdConfig>,
): DbdConfig {
  const own = host.serverConfigOf(server)
  const statements = new Map([
    ...own.statements,
    ...((main !== undefined && added.get(main)?.statements) || []),
    ...(added.get(server)?.statements ?? []),
  ])
  return { ...own, statements }
}

export default dbd
