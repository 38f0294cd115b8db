import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  type OsError,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import type { UpstreamError } from '@gatewright/upstream'

const TIMED_OUT: OsError = { code: 70_007, text: 'The timeout specified has expired' }
const INVALID: OsError = { code: 22, text: 'Invalid argument' }

/** Reports that there is no connection to a responder. */
export function failedToConnect(passing: ProxyPassing, error: UpstreamError, log: ModuleLog, address: string): Outcome {
  const { request, worker } = passing
  if (error.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${worker.hostname}`)
  if (error.code === 'queue-full' || error.code === 'acquire-timeout') {
    log.write(request, 'error', '', `no connection to ${worker.name} became free`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  passing.unreachable(address, error.cause)
  log.write(request, 'error', 'AH01079', `failed to make connection to backend: ${worker.hostname}`)
  return HTTP_SERVICE_UNAVAILABLE
}

/** Reports a response that has failed. @returns the status, if its head was not sent yet */
export function failedResponse({ request }: ProxyPassing, error: UpstreamError, log: ModuleLog): Outcome {
  const script = request.uri.slice(request.uri.lastIndexOf('/') + 1)
  switch (error.code) {
    case 'protocol':
      log.write(request, 'error', 'AH01068', `Got bogus version ${error.detail}`)
      dispatching(request, log, INVALID)
      return HTTP_SERVICE_UNAVAILABLE
    case 'head-timeout':
    case 'body-timeout':
    case 'send-timeout':
      dispatching(request, log, TIMED_OUT, '(polling)')
      return httpStatus(504)
    case 'field-line':
    case 'field-name':
    case 'field-value':
    case 'nul':
    case 'field-size':
    case 'head-size':
      log.write(request, 'error', '', `malformed header from script '${script}': Bad header: ${error.detail.slice(0, 30)}`)
      log.write(request, 'error', 'AH01070', 'Error parsing script headers')
      dispatching(request, log, INVALID)
      return HTTP_INTERNAL_SERVER_ERROR
    default:
      log.write(request, 'error', 'AH01067', 'Failed to read FastCGI header')
      dispatching(request, log, error.cause ?? undefined)
      return HTTP_SERVICE_UNAVAILABLE
  }
}

function dispatching(request: ProxyPassing['request'], log: ModuleLog, cause: OsError | Error | undefined, step = ''): void {
  log.write(request, 'error', 'AH01075', `Error dispatching request to : ${step}`, cause)
}
