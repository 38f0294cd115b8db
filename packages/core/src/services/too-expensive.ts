import { HTTP_INTERNAL_SERVER_ERROR, type Outcome, type Request, type RequestTooExpensive } from '@gatewright/api'
import type { CoreLog } from './error-log.ts'

/**
 * The error of a request that exceeds its computing limit. The configuration is at fault, not a module: the
 * log line names the directive and has no stack.
 */
export function tooExpensive(log: CoreLog, request: Request, error: RequestTooExpensive): Outcome {
  log.write(request, 'error', '', error.message)
  return HTTP_INTERNAL_SERVER_ERROR
}
