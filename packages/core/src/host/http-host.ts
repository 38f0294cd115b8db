import type { Socket } from 'node:net'
import type { WorkerStatus } from '@gatewright/api/status'
import type { DecisionTracer } from '@gatewright/api/tracing'
import {
  type ClientConnection,
  type Displaced,
  type EngineHost,
  type Exchange,
  HttpEngine,
  type LocalAddress,
  type SocketLayer,
  type Transport,
} from '@gatewright/http'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { StatusKeeper } from '../status/status-keeper.ts'
import type { ConnectionAdapter } from './connection-adapter.ts'
import type { Services } from './create-services.ts'
import type { ExchangeAdapter } from './exchange-adapter.ts'
import type { Http2Starter } from './http2-starter.ts'
import type { SpokenProtocols } from './spoken-protocols.ts'

export interface HttpHostParts {
  readonly services: Services
  readonly connections: ConnectionAdapter
  readonly exchanges: ExchangeAdapter
  /** Offers sockets to the layers of modules; null without any. */
  readonly layer: SocketLayer | null
  readonly http2: Http2Starter
  readonly spoken: SpokenProtocols
  readonly lifecycle: Lifecycle
  readonly status: StatusKeeper
}

/** The engine of one configuration, for its process: accepts connections and reports on them. */
export class HttpHost {
  readonly engine: HttpEngine
  readonly status: StatusKeeper
  /** The table of a request's phases. */
  readonly lifecycle: Lifecycle
  readonly #services: Services
  readonly #host: EngineHost
  readonly #layer: SocketLayer | null

  constructor({ services, connections, exchanges, layer, http2, spoken, lifecycle, status }: HttpHostParts) {
    this.#services = services
    this.#layer = layer
    this.status = status
    this.lifecycle = lifecycle
    this.#host = {
      onConnection: connections.onConnection,
      settings: connections.settings,
      onRequest: exchanges.onRequest,
      onReadTimeout: connections.onReadTimeout,
      onClose: connections.onClose,
      successorsOf: (connection) => {
        const successor = http2.successorOf(connection)
        const others = spoken.successorsOf(connection)
        return successor === null ? others : [successor, ...others]
      },
    }
    this.engine = new HttpEngine(this.#host)
  }

  accept(socket: Socket, local: LocalAddress | null): void {
    this.#admit(this.engine.accept(socket, local, this.#layer), null)
  }

  /** @param tracer receives every decision; responses then have no body */
  inject(transport: Transport, tracer: DecisionTracer | null): void {
    this.#admit(this.engine.inject(transport), tracer)
  }

  /** @param tracer receives every decision; responses then have no body */
  simulate(socket: Socket, tracer: DecisionTracer): void {
    this.#admit(this.engine.accept(socket, null, this.#layer), tracer)
  }

  serve(exchange: Exchange): void {
    const { connection } = exchange
    if (connection.data === null) {
      this.#host.onConnection(connection)
      this.#admit(connection, null)
    }
    this.#host.onRequest(exchange)
  }

  displaceFor(address: string): Displaced | null {
    const displaced = this.engine.displaceFor(address)
    this.status.tally.crowdedOut(displaced === null ? 'newcomer' : 'other')
    return displaced
  }

  workerStatus(identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean }): WorkerStatus {
    return this.status.worker(identity, this.engine, this.#services)
  }

  #admit(connection: ClientConnection, tracer: DecisionTracer | null): void {
    this.status.tally.connected()
    const { data } = connection
    if (!(data instanceof ConnectionRecord) || data.refused) return connection.destroy()
    data.tracer = tracer
  }
}
