import { HTTP_INTERNAL_SERVER_ERROR, isExpressionError, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/** Core's own function in the fixups hook: ForceType and SetHandler override what a file's name implies. */
export function overrideType(request: RequestRecord, log: CoreLog): Outcome {
  const { core } = request.config
  if (core.forceType !== undefined && core.forceType !== null) request.contentType = core.forceType
  if (core.setHandler !== undefined && core.setHandler !== null) {
    try {
      const name = core.setHandler.text.of(request)
      if (name !== '' && name !== 'none') request.handler = name
    } catch (error) {
      if (!isExpressionError(error)) throw error
      log.write(request, 'error', 'AH03154', `Can't evaluate handler expression: ${error.message}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
  }
  return OK
}
