import { DECLINED, DONE, HTTP_METHOD_NOT_ALLOWED, httpStatus, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import { allowHeader } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { UnreadableBody } from '../response/body-chunks.ts'
import type { CoreLog } from '../services/error-log.ts'
import { isAnnouncedTooLong } from './request-bodies.ts'

/**
 * TRACE and `OPTIONS *` end before the server looks for a file.
 * @param httpLog receives messages about bodies
 */
export function answerWithoutFile(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  // A request that is passed on is authorized first, and is the business of the other server.
  if (request.proxyRequest !== null) return DECLINED
  if (request.method === 'TRACE' && request.main === null) return trace(request, httpLog)
  if (request.method === 'OPTIONS' && request.uri === '*') {
    sendOptions(request)
    return DONE
  }
  return DECLINED
}

/** The longest body of which `TraceEnable extended` accepts the announced length, as in httpd. */
const TRACED_LENGTH = 65_536
/** The longest chunked body that it accepts, as in httpd. */
const TRACED_CHUNKS = 73_728

function trace(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  const setting = request.server.core.traceEnable ?? 'on'
  if (setting === 'off') {
    request.notes.set('error-notes', 'TRACE forbidden by server configuration')
    return HTTP_METHOD_NOT_ALLOWED
  }
  const { exchange } = request
  if (exchange === null || !exchange.hasBody || exchange.contentLength === 0) return echo(request, null)
  if (setting !== 'extended') {
    httpLog.write(request, 'info', 'AH01595', `TRACE with body is not allowed for ${request.uri}`)
    request.notes.set('error-notes', 'TRACE with a request body is not allowed')
    return httpStatus(413)
  }
  if (exchange.contentLength > TRACED_LENGTH || isAnnouncedTooLong(request, exchange)) return httpStatus(413)
  return echoWithBody(request)
}

async function echoWithBody(request: RequestRecord): Promise<Outcome> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.readBody()) {
      length += chunk.length
      if (length > TRACED_CHUNKS) return httpStatus(413)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof UnreadableBody) return error.status
    throw error
  }
  return echo(request, Buffer.concat(chunks, length))
}

/** Responds with the request as it was received; by a stream, because the response does not state its length. */
function echo(request: RequestRecord, body: Uint8Array | null): Outcome {
  let head = `${request.requestLine}\r\n`
  for (const [name, value] of request.headersIn) head += `${name}: ${value}\r\n`
  const bytes = Buffer.from(`${head}\r\n`, 'latin1')
  request.contentType = 'message/http'
  request.respond(inOnePart(body === null ? bytes : Buffer.concat([bytes, body])))
  return DONE
}

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** OPTIONS: responds with the allowed methods and no body. */
export function sendOptions(request: RequestRecord): Outcome {
  if (request.uri !== '*') request.headersOut.set('Allow', allowHeader(request))
  request.respond('')
  return OK
}
