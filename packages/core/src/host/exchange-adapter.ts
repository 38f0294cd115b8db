import type { Exchange } from '@gatewright/http'
import type { MethodRegistry } from '../base/method-registry.ts'
import type { RequestServer } from '../lifecycle/serve-request.ts'
import type { RequestHost } from '../model/request-host.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { WorkPlaces } from '../status/work-places.ts'
import { abandonConnection } from './abandon-connection.ts'
import { recordOf } from './connection-adapter.ts'

export interface ExchangeAdapterParts {
  readonly methods: MethodRegistry
  readonly requestHost: RequestHost
  readonly requests: RequestServer
  readonly places: WorkPlaces
  readonly log: CoreLog
}

/** Converts each exchange of the engine to a request and serves it, for every transport. */
export class ExchangeAdapter {
  readonly #parts: ExchangeAdapterParts

  constructor(parts: ExchangeAdapterParts) {
    this.#parts = parts
  }

  readonly onRequest = (exchange: Exchange): void => {
    try {
      this.#serve(exchange)
    } catch (error) {
      abandonConnection(exchange.connection, this.#parts.log, 'a request could not be served', error)
    }
  }

  #serve(exchange: Exchange): void {
    const { methods, requestHost, requests, places } = this.#parts
    const connection = recordOf(exchange.connection)
    // The connection is closed.
    if (connection.refused) return
    const request = new RequestRecord(requestHost, connection, exchange, connection.baseServer, exchange.fields, null, null)
    takeExchange(request, exchange, methods)
    request.place = places.take(request)
    const { refusal } = exchange
    if (refusal === null) requests.serve(request)
    else requests.refuse(request, refusal)
  }
}

/** Sets a request's properties from the client's data. */
function takeExchange(request: RequestRecord, exchange: Exchange, methods: MethodRegistry): void {
  request.requestLine = exchange.requestLine
  request.method = exchange.method
  request.methodNumber = methods.numberOf(exchange.method)
  // An explanation of a decision has no body.
  request.headerOnly = exchange.method === 'HEAD' || request.tracer !== null
  request.protocol = exchange.protocol
  request.version = exchange.version
  // The wall clock has milliseconds only; the fraction of the process's own clock distinguishes requests
  // within one millisecond.
  request.receivedAt = exchange.receivedAt + (exchange.receivedAtUs % 1000) / 1000
  request.receivedAtUs = exchange.receivedAtUs
  const { uri } = exchange
  // Logs also show a target that could not be parsed. If no target was read, they show nothing.
  if (uri.path !== '' || uri.error === '') {
    request.uri = uri.path
    request.args = uri.query
    const isWhole = uri.form === 'origin' && uri.fragment === null
    request.unparsedUri = isWhole ? exchange.target : uri.query === null ? uri.path : `${uri.path}?${uri.query}`
  }
  request.hostname = exchange.hostname ?? ''
  request.namesHost = exchange.hostname !== null
  request.hostPort = exchange.hostPort
}
