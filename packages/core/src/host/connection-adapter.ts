import { handshakeTimedOut, requestReadTimedOut } from '@gatewright/api/peers'
import type { ClientConnection, ConnectionSettings } from '@gatewright/http'
import { errorMessage } from '../base/error-text.ts'
import type { VoidHook } from '../lifecycle/run-void-hook.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { VirtualHostTable } from '../model/virtual-hosts.ts'
import type { CoreLog } from '../services/error-log.ts'
import { abandonConnection } from './abandon-connection.ts'

export interface ConnectionAdapterParts {
  readonly configuration: ServerConfiguration
  readonly preConnection: VoidHook<ConnectionRecord>
  readonly log: CoreLog
}

/** Makes the connection records for modules, and reports events of connections to modules. */
export class ConnectionAdapter {
  readonly #parts: ConnectionAdapterParts
  readonly #hosts: VirtualHostTable

  constructor(parts: ConnectionAdapterParts) {
    this.#parts = parts
    this.#hosts = new VirtualHostTable(parts.configuration.main, parts.configuration.virtualHosts)
  }

  /** Makes the record of a new connection, and runs the `preConnection` hook, which may refuse it. */
  readonly onConnection = (connection: ClientConnection): ConnectionSettings => {
    const record = new ConnectionRecord(connection, this.#hosts.forAddress(connection.localAddress, connection.localPort))
    connection.data = record
    // A connection that a module could not prepare is not served.
    record.refused = !this.#parts.preConnection.run(record, null)
    return record.baseServer.connectionSettings
  }

  readonly settings = (connection: ClientConnection): ConnectionSettings => recordOf(connection).baseServer.connectionSettings

  readonly onReadTimeout = (connection: ClientConnection, part: 'handshake' | 'header' | 'body'): void => {
    const { functions } = this.#parts.configuration
    try {
      if (part === 'handshake') functions.get(handshakeTimedOut)?.(recordOf(connection))
      else functions.get(requestReadTimedOut)?.(recordOf(connection), part)
    } catch (error) {
      abandonConnection(connection, this.#parts.log, 'a module failed to note a timeout', error)
    }
  }

  readonly onClose = (connection: ClientConnection): void => {
    const { data } = connection
    if (!(data instanceof ConnectionRecord)) return
    data.over((error) => this.#parts.log.write(data, 'crit', '', `a cleanup failed: ${errorMessage(error)}`))
  }
}

/** @throws TypeError for a connection that did not begin with `onConnection` */
export function recordOf({ data }: ClientConnection): ConnectionRecord {
  if (!(data instanceof ConnectionRecord)) throw new TypeError('the connection was not accepted by this server')
  return data
}
