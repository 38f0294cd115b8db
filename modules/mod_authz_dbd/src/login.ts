import { type AuthzProvider, isDatabaseUnavailable, type Request } from '@gatewright/api'
import { askShown, rowsText, statementQuestion } from '@gatewright/api/tracing'
import { databaseWith, type Host, labelOf, messageOf } from './statements.ts'

/** What a user does. */
type Action = 'login' | 'logout'

/** `Require dbd-login` and `Require dbd-logout`: run the query that records it, grant, and redirect if so configured. */
export function loginProvider(host: Host, action: Action): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse: () => async (request) => {
      const { user } = request
      if (user === null) return 'denied-no-user'
      if (!(await record(host, request, user, action))) return 'denied'
      const location = await redirectFor(host, request, user, action)
      if (location !== undefined) {
        request.status = 302
        request.errHeadersOut.set('Location', location)
      }
      return 'granted'
    },
  }
}

/** Runs the query. The number of rows that it changes does not decide. @returns false if it failed, which was logged */
async function record(host: Host, request: Request, user: string, action: Action): Promise<boolean> {
  const { query } = host.configOf(request)
  const fail = (code: string, text: string): false => {
    host.log.write(request, 'error', code, text)
    return false
  }
  if (query === undefined) return fail('AH01642', `No query configured for ${action}!`)
  const database = databaseWith(host, request, query)
  if (database === undefined) return fail('AH01643', `Error retrieving Query for ${action}!`)
  // An explanation must not change the database.
  if (request.tracer !== null) {
    const shown = statementQuestion(database.driver, query, [user])
    request.tracer.step(request, { kind: 'question', ...shown, answer: null })
    return true
  }
  try {
    const changed = await database.update(labelOf(query), [user])
    if (changed !== 1) {
      host.log.write(request, 'warn', 'AH01644', `authz_dbd: ${action} of user ${user} updated ${changed} rows`)
    }
    return true
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      return fail('AH02902', `No db handle available for ${action}! Check your database access`)
    }
    return fail('AH01645', `authz_dbd: query for ${action} failed; user ${user} [${messageOf(error)}]`)
  }
}

/** The Referer comes first, then the first value that the redirect query finds. A failure only means no redirect. */
async function redirectFor(host: Host, request: Request, user: string, action: Action): Promise<string | undefined> {
  const { toReferer, redirectQuery } = host.configOf(request)
  const referer = toReferer === true ? request.headersIn.get('Referer') : undefined
  if (referer !== undefined || redirectQuery === undefined) return referer
  const database = databaseWith(host, request, redirectQuery)
  if (database === undefined) {
    host.log.write(request, 'error', 'AH01646', 'authz_dbd: no redirect query!')
    return undefined
  }
  try {
    const found = await askShown(request, {
      ...statementQuestion(database.driver, redirectQuery, [user]),
      ask: () => database.select(labelOf(redirectQuery), [user]),
      shown: rowsText,
    })
    return found?.rows.map(([location]) => location).find((location) => typeof location === 'string')
  } catch (error) {
    const text = `authz_dbd/redirect for ${action} of ${user} [${messageOf(error)}]`
    host.log.write(request, 'error', 'AH01648', text)
    return undefined
  }
}
