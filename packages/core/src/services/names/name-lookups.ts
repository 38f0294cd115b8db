import type { MaybePromise } from '@gatewright/api'
import type { ConnectionRecord } from '../../model/connection-record.ts'
import type { ProcessConfig } from '../../model/process-config.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import { clientNameOf, type NameService, onlyProved, provedName, reportedName } from './index.ts'

/** Looks up the names of clients and of the server's own addresses. */
export class NameLookups {
  readonly #names: NameService
  readonly #process: ProcessConfig

  constructor(names: NameService, process: ProcessConfig) {
    this.#names = names
    this.#process = process
  }

  get needsLocalNames(): boolean {
    return this.#process.localNamesWanted
  }

  /** The name of the client if its address has been proved to belong to it. */
  remoteHost(request: RequestRecord): MaybePromise<string | null> {
    return provedName(clientNameOf(request), this.#names, () => !request.connection.aborted)
  }

  /**
   * Looks up the names that HostnameLookups and UseCanonicalName require, before modules process the request.
   * A promise only if a name server must be queried.
   */
  lookUp(request: RequestRecord): void | Promise<void> {
    const local = this.#process.localNamesWanted ? this.#lookUpLocal(request.connection) : undefined
    const client = this.#lookUpClient(request)
    if (local === undefined || client === undefined) return local ?? client
    return Promise.all([local, client]).then(() => undefined)
  }

  #lookUpLocal(connection: ConnectionRecord): void | Promise<void> {
    if (connection.localName !== null) return
    const name = this.#names.nameOf(connection.localAddress)
    if (name instanceof Promise) {
      return name.then((found) => {
        connection.localName ??= found
      })
    }
    connection.localName = name
  }

  /**
   * Looks up the client's name for HostnameLookups, so that logs and expressions have it. A promise only if a
   * name server must be queried.
   */
  #lookUpClient(request: RequestRecord): void | Promise<void> {
    const mode = request.config.core.hostnameLookups ?? 'off'
    if (mode === 'off') return
    const client = clientNameOf(request)
    const waiting = mode === 'on' ? reportedName(client, this.#names) : onlyProved(client, this.#names)
    if (waiting instanceof Promise) return waiting.then(() => undefined)
  }
}
