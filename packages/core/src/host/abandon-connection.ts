import type { ClientConnection } from '@gatewright/http'
import { errorStack } from '../base/error-text.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/**
 * Ends a connection after an unexpected error. The engine requires that nothing is thrown: otherwise the
 * connection would hang.
 * @param what the beginning of the log line
 */
export function abandonConnection(connection: ClientConnection, log: CoreLog, what: string, error: unknown): void {
  const { data } = connection
  log.write(data instanceof ConnectionRecord ? data : null, 'crit', '', `${what}: ${errorStack(error)}`)
  connection.destroy()
}
