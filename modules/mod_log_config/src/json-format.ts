import { pid } from 'node:process'
import type { JsonLine, OptionalFunctions, Request } from '@gatewright/api'
import { trafficOf } from '@gatewright/api/peers'
import type { LineWriter } from './compile-format.ts'
import { withoutPassword } from './without-password.ts'

/** The nickname of the NDJSON format, unless a LogFormat defines it. */
export const JSON_NICKNAME = 'json'

/** Nanoseconds per microsecond. */
const NANOSECONDS = 1000

/**
 * One line of JSON per request, with the field names of the Elastic Common Schema. Unknown values are
 * omitted.
 */
export function jsonFormat(line: JsonLine, functions: Pick<OptionalFunctions, 'get'>): LineWriter {
  let traffic: ((request: Request) => { readonly received: number; readonly sent: number }) | undefined
  return ({ original, final, bodyBytesSent, durationUs, logId }) => {
    traffic ??= functions.get(trafficOf)
    const bytes = traffic?.(original)
    const { connection } = final
    return line(original.receivedAt, {
      message: withoutPassword(original.requestLine),
      'client.address': final.useragentAddress,
      'client.port': final.useragentPort || undefined,
      'network.peer.address': connection.remoteAddress === final.useragentAddress ? undefined : connection.remoteAddress,
      'user.name': final.user,
      'http.request.method': original.method || undefined,
      'http.version': original.protocol.startsWith('HTTP/') ? original.protocol.slice('HTTP/'.length) : undefined,
      'http.response.status_code': final.status || undefined,
      'http.response.body.bytes': bodyBytesSent,
      'http.request.bytes': bytes?.received,
      'http.response.bytes': bytes?.sent,
      'http.request.referrer': original.headersIn.get('Referer'),
      'user_agent.original': original.headersIn.get('User-Agent'),
      'url.path': original.uri || undefined,
      'url.query': original.args,
      'url.domain': final.serverName(),
      'server.address': final.server.serverName,
      'server.port': connection.localPort,
      'event.duration': durationUs * NANOSECONDS,
      'event.id': logId,
      'event.reason': final.refusedBy || undefined,
      'process.pid': pid,
    })
  }
}
