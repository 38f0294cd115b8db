import type { Database, ModuleHost, Request } from '@gatewright/api'
import { databaseOf } from '@gatewright/api/peers'
import type { AuthzDbdConfig } from './config.ts'

/** The host of this module. */
export type Host = ModuleHost<AuthzDbdConfig, undefined>

/** The label of a query: sections with the same query share a statement. */
export function labelOf(query: string): string {
  return `authz_dbd ${query}`
}

/** The databases of the request's server, if they have a statement for the query. */
export function databaseWith(host: Host, request: Request, query: string): Database | undefined {
  const database = host.functions.get(databaseOf)?.(request.server)
  return database?.has(labelOf(query)) === true ? database : undefined
}

/** The database's message as byte string. */
export function messageOf(error: unknown): string {
  return Buffer.from(error instanceof Error ? error.message : String(error), 'utf8').toString('latin1')
}
