import type { Socket } from 'node:net'
import { requestReadTimedOut } from '@gatewright/api/peers'
import type { WorkerStatus } from '@gatewright/api/status'
import type { DecisionTracer } from '@gatewright/api/tracing'
import {
  type ConnectionSettings,
  type Displaced,
  type EngineHost,
  type Exchange,
  type HttpConnection,
  HttpEngine,
  type LocalAddress,
  type Transport,
} from '@gatewright/http'
import { errorMessage, errorStack } from '../base/error-text.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { RequestLife } from '../lifecycle/request-life.ts'
import type { VoidHook } from '../lifecycle/void-hook.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { RequestHost } from '../model/request-host.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { VirtualHostTable } from '../model/virtual-hosts.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { StatusKeeper } from '../status/status-keeper.ts'
import { takeExchange } from './take-exchange.ts'

export interface HttpHostParts {
  readonly configuration: ServerConfiguration
  readonly services: ConfigServicesImpl
  readonly preConnection: VoidHook<ConnectionRecord>
  readonly requestHost: RequestHost
  readonly life: RequestLife
  readonly status: StatusKeeper
  readonly log: CoreLog
}

/**
 * Connects the engine with the lifecycle: an exchange becomes a request, which is served; a connection
 * becomes the record that modules see.
 */
export class HttpHost implements EngineHost {
  readonly engine: HttpEngine
  readonly status: StatusKeeper
  /** The table of phases that requests pass. */
  readonly lifecycle: Lifecycle
  readonly #parts: HttpHostParts
  readonly #hosts: VirtualHostTable

  constructor(parts: HttpHostParts) {
    this.#parts = parts
    this.status = parts.status
    this.lifecycle = parts.life.lifecycle
    this.#hosts = new VirtualHostTable(parts.configuration.main, parts.configuration.virtualHosts)
    this.engine = new HttpEngine(this)
  }

  // What the engine asks.

  settings(connection: HttpConnection): ConnectionSettings {
    return this.#recordOf(connection).baseServer.connectionSettings
  }

  onRequest(exchange: Exchange): void {
    try {
      this.#serve(exchange)
    } catch (error) {
      this.#broken(exchange.connection, 'a request could not be served', error)
    }
  }

  onReadTimeout(connection: HttpConnection, part: 'header' | 'body'): void {
    try {
      this.#parts.configuration.functions.get(requestReadTimedOut)?.(this.#recordOf(connection), part)
    } catch (error) {
      this.#broken(connection, 'a module failed to note a timeout', error)
    }
  }

  onClose(connection: HttpConnection): void {
    const { data } = connection
    if (!(data instanceof ConnectionRecord)) return
    data.over((error) => this.#parts.log.write(data, 'crit', '', `a cleanup failed: ${errorMessage(error)}`))
  }

  // What the process asks.

  accept(socket: Socket, local: LocalAddress | null): void {
    this.#admit(this.engine.accept(socket, local))
  }

  /** @param tracer is given every decision; responses have no body then */
  inject(transport: Transport, tracer: DecisionTracer | null): void {
    const connection = this.engine.inject(transport)
    this.#recordOf(connection).tracer = tracer
    this.#admit(connection)
  }

  displaceFor(address: string): Displaced | null {
    const displaced = this.engine.displaceFor(address)
    this.status.tally.crowdedOut(displaced === null ? 'newcomer' : 'other')
    return displaced
  }

  workerStatus(identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean }): WorkerStatus {
    return this.status.worker(identity, this.engine, this.#parts.services)
  }

  #serve(exchange: Exchange): void {
    const connection = this.#recordOf(exchange.connection)
    const { baseServer } = connection
    const request = new RequestRecord(this.#parts.requestHost, connection, exchange, baseServer, exchange.fields, null, null)
    takeExchange(request, exchange, this.#parts.configuration.methods)
    request.place = this.status.begin(request)
    const { refusal } = exchange
    if (refusal === null) this.#parts.life.serve(request)
    else this.#parts.life.refuse(request, refusal)
  }

  /** The engine requires that nothing is thrown: otherwise its connection would hang. */
  #broken(connection: HttpConnection, what: string, error: unknown): void {
    const { data } = connection
    const text = errorStack(error)
    this.#parts.log.write(data instanceof ConnectionRecord ? data : null, 'crit', '', `${what}: ${text}`)
    connection.destroy()
  }

  /** A connection that a module could not prepare is not served. */
  #admit(connection: HttpConnection): void {
    this.status.tally.connected()
    if (this.#recordOf(connection).refused) connection.destroy()
  }

  #recordOf(connection: HttpConnection): ConnectionRecord {
    const known = connection.data
    if (known instanceof ConnectionRecord) return known
    const record = new ConnectionRecord(connection, this.#hosts.forAddress(connection.localAddress, connection.localPort))
    connection.data = record
    record.refused = !this.#parts.preConnection.run(record, null)
    return record
  }
}
