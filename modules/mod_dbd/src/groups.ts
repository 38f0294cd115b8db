import type { ModuleHost, Server } from '@gatewright/api'
import { GuardedServers } from '@gatewright/store-client'
import { areAlike, type DbdConfig, limitsOf } from './config.ts'
import { readStatement } from './placeholders.ts'
import { TimedOut } from './pool/within.ts'
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

  /** Databases that do not answer. */
  readonly guarded: GuardedServers

  constructor(host: ModuleHost<undefined, DbdConfig>) {
    this.#host = host
    this.guarded = new GuardedServers(host.services, host.log, {
      kind: 'dbd',
      source: 'mod_dbd.c',
      meanwhile: 'meanwhile what needs it fails at once',
    })
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
      breaker: this.guarded.breaker(titleOf(driver, params), (error) => error instanceof TimedOut),
    }
    return new ServerDatabase(recipe, limitsOf(config, server.timeout), persist, log, server)
  }
}

/** The name of a database in metrics and logs: of the parameters, only those that name a place, outside of quotation marks. */
function titleOf(driver: string | undefined, params: string): string {
  if (driver === undefined || driver === 'sqlite3') return `database ${driver ?? ''} ${params}`.trim()
  const places = params
    .replace(/'(?:\\.|[^'])*'?/g, "''")
    .matchAll(/(?:^|[\s,])((?:host|hostaddr|port|sock|dbname)\s*=\s*[\w.:/-]+)/g)
  return ['database', driver, ...[...places].map(([, place]) => place.replace(/\s/g, ''))].join(' ')
}

/** Configuration files are read as bytes; what goes to a database is Unicode. */
function unicode(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
