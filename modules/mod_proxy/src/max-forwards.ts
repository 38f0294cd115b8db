import { HTTP_METHOD_NOT_ALLOWED, type ModuleLog, type Outcome, type Request } from '@gatewright/api'
import { proxyError } from './passing.ts'

/**
 * Counts Max-Forwards down (RFC 9110, section 7.6.2), for every method.
 * @param standard what a request without the field gets; negative for nothing
 * @returns undefined to pass the request on, otherwise the outcome
 */
export function countForwards(request: Request, standard: number, log: ModuleLog): Outcome | undefined {
  const field = request.headersIn.get('Max-Forwards')
  if (field === undefined) {
    if (standard >= 0) request.headersIn.set('Max-Forwards', String(standard))
    return undefined
  }
  if (!/^\s*\+?\d+$/.test(field) || BigInt(field.trim().replace('+', '')) >= LIMIT) {
    log.write(request, 'warn', 'AH10188', `Max-Forwards value '${field}' could not be parsed`)
    return proxyError(request, log, 400, 'Max-Forwards request header could not be parsed')
  }
  const count = BigInt(field.trim().replace('+', ''))
  if (count > 0n) {
    request.headersIn.set('Max-Forwards', String(count - 1n))
    return undefined
  }
  switch (request.method) {
    case 'TRACE':
      return answerTrace(request)
    case 'OPTIONS':
      request.headersOut.set('Allow', request.server.traceMethod === 'off' ? '' : 'TRACE')
      return request.respond('')
    default:
      return proxyError(request, log, 400, 'Max-Forwards has reached zero - proxy loop?')
  }
}

/** The largest number of 64 bits. */
const LIMIT = 0x7fff_ffff_ffff_ffffn

/** The request as it arrived (RFC 9110, section 9.3.8). */
function answerTrace(request: Request): Outcome {
  if (request.server.traceMethod === 'off') return refuseTrace(request)
  let text = `${request.requestLine}\r\n`
  for (const [name, value] of request.headersIn) text += `${name}: ${value}\r\n`
  request.contentType = 'message/http'
  return request.respond(inOnePart(`${text}\r\n`))
}

/** httpd does not state the length. */
async function* inOnePart(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'latin1')
}

function refuseTrace(request: Request): Outcome {
  request.notes.set('error-notes', 'TRACE forbidden by server configuration')
  return HTTP_METHOD_NOT_ALLOWED
}
