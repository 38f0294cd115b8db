import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  type OsError,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { hostOf, type UpstreamError } from '@gatewright/upstream'

const TIMED_OUT: OsError = { code: 70_007, text: 'The timeout specified has expired' }
const END_OF_FILE: OsError = { code: 70_014, text: 'End of file found' }
const UNSPECIFIC: OsError = { code: 20_014, text: 'Internal error (specific information not available)' }
const NO_SPACE: OsError = { code: 28, text: 'No space left on device' }
const INCOMPLETE: OsError = { code: 70_008, text: 'Partial results are valid but processing is incomplete' }
const INVALID: OsError = { code: 22, text: 'Invalid argument' }
const BAD_GATEWAY = httpStatus(502)

/** Reports that there is no connection to a backend; the status lets a balancer try another one. */
export function failedToConnect(
  passing: ProxyPassing,
  error: UpstreamError,
  log: ModuleLog,
  { address, authority }: { readonly address: string; readonly authority: string | null },
): Outcome {
  const { request, worker } = passing
  switch (error.code) {
    case 'resolve':
      return passing.fail(500, `DNS lookup failure for: ${hostOf(passing)}`, error.cause)
    case 'queue-full':
    case 'acquire-timeout':
      log.write(request, 'error', '', `no connection to ${worker.name} became free`)
      return HTTP_SERVICE_UNAVAILABLE
    case 'tls':
      return failedHandshake(passing, log, address)
    default:
      if (error.code !== 'through') passing.unreachable(address, error.cause)
      else failedThrough(passing, error, address, authority ?? '')
      log.write(request, 'error', 'AH01114', `HTTP: failed to make connection to backend: ${hostOf(passing)}`)
      return HTTP_SERVICE_UNAVAILABLE
  }
}

/** mod_ssl has logged why. */
function failedHandshake(passing: ProxyPassing, log: ModuleLog, address: string): Outcome {
  const { request } = passing
  const text = `pass request body failed to ${address} (${hostOf(passing)})`
  passing.note('error', 'AH01084', text, UNSPECIFIC)
  const outcome = passing.fail(500, 'Error during SSL Handshake with remote server')
  log.write(request, 'error', 'AH01097', `${text} from ${request.useragentAddress} ()`)
  return outcome
}

/** The remote proxy does not lead to the backend. */
function failedThrough(passing: ProxyPassing, error: UpstreamError, address: string, authority: string): void {
  const { worker, remote } = passing
  const status = /^\d{3}$/.test(error.detail)
  if (status) passing.note('error', 'AH00950', `send_http_connect: the remote proxy returned code is '${error.detail}'`)
  const cause = error.cause ?? (status ? INCOMPLETE : error.detail === 'timeout' ? TIMED_OUT : END_OF_FILE)
  const way = `${address} (${remote?.hostname ?? ''}:${remote?.port ?? 0})`
  passing.note(
    'error',
    'AH00958',
    `${worker.scheme}: attempt to connect to ${authority} via http CONNECT through ${way} failed`,
    cause,
  )
}

/** Where a response failed. */
export interface FailurePlace {
  /** Of the backend, with its port. */
  readonly address: string
  /** Whether the request waited for a 100 (Continue). */
  readonly waitsForContinue: boolean
  /** Whether the connection was closed before a status line. */
  readonly isEarly: boolean
}

/**
 * Reports a response that failed before its body began.
 */
export function failedResponse(
  passing: ProxyPassing,
  error: UpstreamError,
  log: ModuleLog,
  { address, waitsForContinue, isEarly }: FailurePlace,
): Outcome {
  const { request } = passing
  const code = isEarly || (error.code === 'status-line' && error.detail === '') ? 'closed-early' : error.code
  switch (code) {
    case 'closed-early':
    case 'head-timeout':
    case 'ping-timeout':
    case 'send-timeout': {
      if (code !== 'closed-early') passing.timedOut()
      const text = `error reading status line from remote server ${address}`
      log.write(request, 'error', 'AH01102', text, error.code === 'status-line' ? undefined : causeOf(error))
      if (code !== 'closed-early' && waitsForContinue) return passing.fail(503, 'Timeout on 100-Continue')
      return passing.fail(502, 'Error reading from remote server')
    }
    case 'status-line':
      return passing.fail(502, `Corrupt status line returned by remote server: ${error.detail}`)
    case 'unexpected-upgrade':
      return passing.fail(502, `Unexpected Upgrade: ${error.detail} (expecting n/a)`)
    case 'too-many-interim':
      return passing.fail(502, 'Too many (10) interim responses from origin server')
    case 'field-line':
      return badHeader(passing, log)
    case 'field-size':
      log.write(request, 'warn', 'AH10124', fieldTooLong(passing, error), NO_SPACE)
      return badHeader(passing, log)
    case 'nul':
      log.write(request, 'warn', 'AH10404', 'Error reading headers from backend', INVALID)
      return badHeader(passing, log)
    case 'closed-in-head':
    case 'field-count':
    case 'head-size':
      log.write(request, 'warn', 'AH10404', 'Error reading headers from backend', END_OF_FILE)
      return badHeader(passing, log)
    case 'field-name':
    case 'field-value':
      return invalidField(passing, error)
    default:
      reportCut(passing, error, log)
      return BAD_GATEWAY
  }
}

/** Reports that the body of a response could not be read to its end. */
export function reportCut({ request }: ProxyPassing, error: UpstreamError, log: ModuleLog): void {
  log.write(request, 'error', 'AH01110', 'error reading response', causeOf(error))
}

function causeOf(error: UpstreamError): OsError | Error {
  if (error.cause !== null) return error.cause
  return /timeout$/.test(error.code) ? TIMED_OUT : error.code === 'truncated' ? END_OF_FILE : UNSPECIFIC
}

function badHeader({ request }: ProxyPassing, log: ModuleLog): Outcome {
  log.write(request, 'warn', 'AH01106', `bad HTTP/1.1 header returned by ${request.uri} (${request.method})`)
  return BAD_GATEWAY
}

function fieldTooLong({ worker }: ProxyPassing, { detail }: UpstreamError): string {
  const limit = worker.parameters.responsefieldsize ?? 8192
  const field = detail.replace(/^Failed to read request header line /, '')
  const shown = field.length <= 128 ? field : `${field.slice(0, 64)}[...]${field.slice(-64)}`
  return `header size is over the limit allowed by ResponseFieldSize (${limit} bytes). Bad response header: '${shown}'`
}

/** Fields that no recipient would read as one: the server refuses to send them, and says so. */
function invalidField({ request }: ProxyPassing, { code, detail }: UpstreamError): Outcome {
  const colon = code === 'field-value' ? detail.indexOf(':') : detail.length
  request.headersOut.clear()
  request.headersOut.add(detail.slice(0, colon), code === 'field-value' ? detail.slice(colon + 1).trim() : '')
  const outcome = request.respond('')
  return request.headersOut.size > 0 ? outcome : HTTP_INTERNAL_SERVER_ERROR
}
