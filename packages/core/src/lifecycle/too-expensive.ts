import { HTTP_INTERNAL_SERVER_ERROR, type Outcome, type Request, type RequestTooExpensive } from '@gatewright/api'
import type { CoreLog } from '../services/error-log.ts'

/** The end of a request that costs more than it may. It is the configuration's fault, not a module's: the line names the directive and no stack. */
export function tooExpensive(log: CoreLog, request: Request, error: RequestTooExpensive): Outcome {
  log.write(request, 'error', '', error.message)
  return HTTP_INTERNAL_SERVER_ERROR
}
