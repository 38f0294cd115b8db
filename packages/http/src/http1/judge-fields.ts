import { HTTP_1_1 } from '../http-version.ts'
import type { Refusal } from '../refusal.ts'
import type { ConnectionSettings } from '../settings.ts'
import { hasConnectionOption } from './connection-options.ts'
import { readFraming } from './framing.ts'
import type { Http1Request } from './request.ts'

/**
 * Validates the combination of the fields of a complete head, in httpd's order, and sets the exchange's
 * properties.
 */
export function judgeFields(exchange: Http1Request, { strict, scheme }: ConnectionSettings): Refusal | null {
  const { connection, fields, uri, version } = exchange
  const refused = readFraming(fields, uri.path, exchange)
  if (refused !== null) return refused
  const check = connection.engine.hosts.check(fields, version, strict, uri, scheme)
  exchange.hostname = check.hostname
  exchange.hostPort = check.port
  if (check.refusal !== null) return check.refusal
  const expect = fields.get('expect')
  exchange.expectContinue = expect !== undefined && expect.toLowerCase() === '100-continue'
  readPersistence(exchange, version)
  // It is unknown whether the client sends its body to a server that does not meet its expectation. Like
  // httpd, the server reads nothing after it.
  if (expect !== undefined && expect !== '' && !exchange.expectContinue) exchange.persistentRequested = false
  return null
}

/** RFC 9112 section 9.3. `close` takes precedence over `keep-alive`. */
function readPersistence(exchange: Http1Request, version: number): void {
  const options = exchange.fields.get('connection')
  const close = options !== undefined && hasConnectionOption(options, 'close')
  exchange.sentKeepAliveToken = options !== undefined && hasConnectionOption(options, 'keep-alive')
  // RFC 9112 section 6.1: a transfer coding in a message of HTTP/1.0 is faulty framing, and the connection
  // ends with it.
  const faulty = exchange.ambiguousFraming || (version < HTTP_1_1 && exchange.bodyFraming === 'chunked')
  exchange.persistentRequested = !close && !faulty && (version >= HTTP_1_1 || exchange.sentKeepAliveToken)
}
