import type { Database } from './database.ts'
import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Server } from './server.ts'

/**
 * Offered by mod_dbd: prepares a statement on every connection of the server's databases, httpd's `ap_dbd_prepare`. To be
 * called in checkConfig. Any statement that the database does not accept makes the databases of the server unavailable.
 * @param label under which it is run; a label with another statement is replaced, with a warning
 * @since 2.4.6
 */
export const prepareStatement: OptionalFunction<(server: Server, statement: string, label: string) => void> =
  optionalFunction('dbd:prepare')

/**
 * Offered by mod_dbd: the databases of a server, from postConfig on.
 * @since 2.4.6
 */
export const databaseOf: OptionalFunction<(server: Server) => Database> = optionalFunction('dbd:acquire')
