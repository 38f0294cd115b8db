import type { Exchange } from '@gatewright/http'
import type { MethodRegistry } from '../base/method-registry.ts'
import type { RequestRecord } from '../model/request-record.ts'

/** Fills a request with what the client sent. */
export function takeExchange(request: RequestRecord, exchange: Exchange, methods: MethodRegistry): void {
  request.requestLine = exchange.requestLine
  request.method = exchange.method
  request.methodNumber = methods.numberOf(exchange.method)
  // An explanation of a decision has no body.
  request.headerOnly = exchange.method === 'HEAD' || request.tracer !== null
  request.protocol = exchange.protocol
  request.version = exchange.version
  // The wall clock has milliseconds only; the fraction of the process's own clock distinguishes requests of
  // one millisecond.
  request.receivedAt = exchange.receivedAt + (exchange.receivedAtUs % 1000) / 1000
  request.receivedAtUs = exchange.receivedAtUs
  const { uri } = exchange
  // Logs show also a target that could not be parsed. If not even a target was read, they show nothing.
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
