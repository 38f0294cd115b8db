import type { ModuleHost, Server } from '@gatewright/api'
import { areAlike, type DbdConfig, limitsOf } from './config.ts'
import { readStatement } from './placeholders.ts'
import { ServerDatabase } from './server-database.ts'

interface Group {
  readonly config: Readonly<DbdConfig>
  readonly database: ServerDatabase
}

/** The databases of all servers. Servers with the same settings share connections. */
export class Databases {
  readonly #host: ModuleHost<undefined, DbdConfig>
  readonly #groups: Group[] = []
  readonly #ofServers = new Map<Server, ServerDatabase>()

  constructor(host: ModuleHost<undefined, DbdConfig>) {
    this.#host = host
  }

  /** @param config with the statements of all modules */
  add(server: Server, config: Readonly<DbdConfig>): void {
    const known = this.#groups.find((group) => areAlike(group.config, config))
    const group = known ?? { config, database: this.#make(server, config) }
    if (known === undefined) this.#groups.push(group)
    this.#ofServers.set(server, group.database)
  }

  of(server: Server): ServerDatabase {
    const database = this.#ofServers.get(server)
    if (database === undefined) throw new TypeError('the databases of a server are known from postConfig on')
    return database
  }

  /** Opens the first connections of every group with a driver. */
  async start(): Promise<void> {
    const configured = this.#groups.filter(({ config }) => config.driver !== undefined)
    await Promise.all(configured.map(({ database }) => database.start()))
  }

  close(): void {
    for (const { database } of this.#groups) database.close()
  }

  #make(server: Server, config: Readonly<DbdConfig>): ServerDatabase {
    const { providers, log } = this.#host
    const { driver, params = '', init, statements, persist = true } = config
    const recipe = {
      name: driver ?? '[DBDriver unset]',
      driver: driver === undefined ? undefined : providers.databaseDrivers.get(driver),
      params: unicode(params),
      init: init.map(unicode),
      statements: [...statements].filter(([, text]) => text !== '').map(([label, text]) => readStatement(label, unicode(text))),
      timeout: server.timeout,
    }
    return new ServerDatabase(recipe, limitsOf(config, server.timeout), persist, log, server)
  }
}

/** Configuration files are read as bytes; what goes to a database is Unicode. */
function unicode(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
