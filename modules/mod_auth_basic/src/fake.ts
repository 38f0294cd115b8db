import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  isExpressionError,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  type Text,
} from '@gatewright/api'
import type { FakeCredentials } from './config.ts'

/**
 * AuthBasicFake: sets the credentials for backends in the request's Authorization header. Empty credentials
 * remove the header.
 */
export function fakeCredentials(request: Request, fake: FakeCredentials, log: ModuleLog): Outcome {
  const user = evaluate(request, fake.user, log, 'user', 'AH02455')
  if (user === undefined) return HTTP_INTERNAL_SERVER_ERROR
  if (user === '') return withoutHeader(request, log, 'username', 'AH02458')
  const password = evaluate(request, fake.password, log, 'password', 'AH02456')
  if (password === undefined) return HTTP_INTERNAL_SERVER_ERROR
  if (password === '') return withoutHeader(request, log, 'password', 'AH02459')

  const value = `Basic ${Buffer.from(`${user}:${password}`, 'latin1').toString('base64')}`
  request.headersIn.set('Authorization', value)
  log.write(request, 'info', 'AH02457', `AuthBasicFake: "Authorization: ${value}"`)
  return OK
}

/** undefined if the expression fails, which is logged. */
function evaluate(request: Request, text: Text, log: ModuleLog, what: string, code: string): string | undefined {
  try {
    return text.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(
      request,
      'error',
      code,
      `AuthBasicFake: could not evaluate ${what} expression for URI '${request.uri}': ${error.message}`,
    )
    return undefined
  }
}

function withoutHeader(request: Request, log: ModuleLog, what: string, code: string): Outcome {
  log.write(request, 'info', code, `AuthBasicFake: empty ${what} expression for URI '${request.uri}', ignoring`)
  request.headersIn.delete('Authorization')
  return DECLINED
}
