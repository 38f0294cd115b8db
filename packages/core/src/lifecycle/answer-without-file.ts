import { DECLINED, DONE, HTTP_METHOD_NOT_ALLOWED, httpStatus, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import { allowHeader } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/**
 * TRACE and `OPTIONS *` end before the server looks for a file.
 * @param httpLog receives messages about bodies
 */
export function answerWithoutFile(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  if (request.method === 'TRACE' && request.main === null) return trace(request, httpLog)
  if (request.method === 'OPTIONS' && request.uri === '*') {
    sendOptions(request)
    return DONE
  }
  return DECLINED
}

function trace(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  const setting = request.server.core.traceEnable ?? 'on'
  if (setting === 'off') {
    request.notes.set('error-notes', 'TRACE forbidden by server configuration')
    return HTTP_METHOD_NOT_ALLOWED
  }
  const { exchange } = request
  const hasBody = exchange?.hasBody === true && exchange.contentLength !== 0
  if (hasBody && setting !== 'extended') {
    httpLog.write(request, 'info', 'AH01595', `TRACE with body is not allowed for ${request.uri}`)
    request.notes.set('error-notes', 'TRACE with a request body is not allowed')
    return httpStatus(413)
  }
  request.contentType = 'message/http'
  request.respond(echo(request, hasBody))
  return DONE
}

/** The request as it was received; a stream, because the response does not state its length. */
async function* echo(request: RequestRecord, withBody: boolean): AsyncGenerator<string | Uint8Array> {
  let head = `${request.requestLine}\r\n`
  for (const [name, value] of request.headersIn) head += `${name}: ${value}\r\n`
  yield `${head}\r\n`
  if (withBody) yield* request.readBody()
}

/** OPTIONS: responds with the allowed methods and no body. */
export function sendOptions(request: RequestRecord): Outcome {
  if (request.uri !== '*') request.headersOut.set('Allow', allowHeader(request))
  request.respond('')
  return OK
}
