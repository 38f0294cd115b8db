import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  OK,
  type OsError,
  type Outcome,
  type ProxyPassing,
  type Request,
} from '@gatewright/api'
import type { CgiHead } from '@gatewright/fastcgi'
import type { UpstreamError } from '@gatewright/upstream'

const TIMED_OUT: OsError = { code: 70_007, text: 'The timeout specified has expired' }
const INVALID: OsError = { code: 22, text: 'Invalid argument' }

/** Reports that there is no connection to a responder. */
export function failedToConnect(passing: ProxyPassing, error: UpstreamError, log: ModuleLog, address: string): Outcome {
  const { request, worker } = passing
  if (error.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${worker.hostname}`, error.cause)
  if (error.code === 'queue-full' || error.code === 'acquire-timeout') {
    log.write(request, 'error', '', `no connection to ${worker.name} became free`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  passing.unreachable(address, error.cause)
  log.write(request, 'error', 'AH01079', `failed to make connection to backend: ${worker.hostname}`)
  return HTTP_SERVICE_UNAVAILABLE
}

/** Where failures are reported, and the fields that preceded what is wrong with a head. */
export interface FailureParts {
  readonly log: ModuleLog
  readonly fields: CgiHead['fields'] | null
}

/**
 * Reports a response that has failed.
 * @returns the status, if its head was not sent yet; OK for a head that is not one, which has a response of its own
 */
export function failedResponse(passing: ProxyPassing, error: UpstreamError, { log, fields }: FailureParts): Outcome {
  const { request } = passing
  const script = request.uri.slice(request.uri.lastIndexOf('/') + 1)
  switch (error.code) {
    case 'protocol':
      log.write(request, 'error', 'AH01068', `Got bogus version ${error.detail}`)
      dispatching(request, log, INVALID)
      return HTTP_SERVICE_UNAVAILABLE
    case 'head-timeout':
    case 'body-timeout':
    case 'send-timeout':
      passing.timedOut()
      dispatching(request, log, TIMED_OUT, '(polling)')
      return httpStatus(504)
    case 'field-line':
      log.write(request, 'error', '', `malformed header from script '${script}': Bad header: ${error.detail}`)
      return badHead(request, log)
    case 'field-size':
    case 'head-size': {
      const text = fields?.length === 0 ? 'End of script output before headers' : 'Premature end of script headers'
      log.write(request, 'error', '', `${text}: ${script}`)
      return badHead(request, log)
    }
    case 'field-name':
    case 'field-value':
    case 'nul':
      log.write(request, 'error', '', `malformed header from script '${script}': Bad header: ${error.detail.slice(0, 30)}`)
      badHead(request, log)
      return HTTP_INTERNAL_SERVER_ERROR
    default:
      log.write(request, 'error', 'AH01067', 'Failed to read FastCGI header')
      dispatching(request, log, error.cause ?? undefined)
      return HTTP_SERVICE_UNAVAILABLE
  }
}

function badHead(request: Request, log: ModuleLog): Outcome {
  log.write(request, 'error', 'AH01070', 'Error parsing script headers')
  dispatching(request, log, INVALID)
  return OK
}

function dispatching(request: Request, log: ModuleLog, cause: OsError | Error | undefined, step = ''): void {
  log.write(request, 'error', 'AH01075', `Error dispatching request to : ${step}`, cause)
}
