import { HTTP_0_9, HTTP_1_0 } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import { takeField } from './own-fields.ts'

/**
 * Applies the protocol variables for old clients; called once the response is complete. `downgrade-1.0` turns
 * the request into one of HTTP/1.0. `force-response-1.0` responds to requests of HTTP/1.0 with HTTP/1.0, and
 * `force-no-vary` to those of all clients, without Vary.
 */
export function applyVersionVariables(request: RequestRecord): void {
  const variables = request.existingEnv
  if (variables === null || request.version === HTTP_0_9) return
  const noVary = variables.has('force-no-vary')
  if (noVary) takeField(request, 'Vary')
  if (noVary || (request.version > HTTP_1_0 && variables.has('downgrade-1.0'))) request.version = HTTP_1_0
  request.forcedTo10 = request.version === HTTP_1_0 && (noVary || variables.has('force-response-1.0'))
}
