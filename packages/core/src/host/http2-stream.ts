import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'
import { Http2Exchange } from '@gatewright/http2'
import { RequestRecord } from '../model/request-record.ts'

/** What modules may ask about the stream of a request, and do to it. */
export function http2Stream(request: Request): Http2Stream | null {
  const { exchange } = RequestRecord.of(request)
  if (!(exchange instanceof Http2Exchange)) return null
  const { connection } = exchange
  return {
    id: exchange.id,
    connection: connection.number,
    pushedOn: exchange.pushedOn,
    get takesPushes() {
      return connection.pushes.mayPushFor(exchange)
    },
    setPushes(pushes, policy) {
      exchange.pushes = pushes
      exchange.pushPolicy = policy
    },
    pushLinks: (links) => void connection.pushes.forLinks(exchange, links),
    requireHttp11: () => exchange.requireHttp11(),
  }
}
