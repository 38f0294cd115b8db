import { type AuthzProvider, type DatabaseRows, isDatabaseUnavailable, isExpressionError, type Request } from '@gatewright/api'
import { askShown, statementQuestion } from '@gatewright/api/tracing'
import { databaseWith, type Host, labelOf, messageOf } from './statements.ts'

/** `Require dbd-group NAME...`: the query finds one of the groups for the user. */
export function groupProvider(host: Host): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse: (argument, command) => {
      const text = command.services.text(argument, command, host.log)
      if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
      const namesFor = (request: Request): readonly string[] | undefined => {
        try {
          return namesIn(text.constant ?? text.of(request))
        } catch (error) {
          if (!isExpressionError(error)) throw error
          const what = "authz_dbd authorize: require dbd-group: Can't evaluate require expression"
          host.log.write(request, 'error', 'AH02590', `${what}: ${error.message}`)
          return undefined
        }
      }
      return async (request) => {
        const { user } = request
        if (user === null) return 'denied-no-user'
        const groups = await groupsOf(host, request, user)
        if (groups === undefined) return 'general-error'
        const names = namesFor(request)
        return names?.some((name) => groups.includes(name)) === true ? 'granted' : 'denied'
      }
    },
  }
}

/** White space separates the names; a text that begins with it has none, as in httpd. */
function namesIn(text: string): readonly string[] {
  const names = text.split(/[ \t\n\v\f\r]+/)
  return names[0] === '' ? [] : names.filter((name) => name !== '')
}

function namesOf({ rows }: DatabaseRows): readonly string[] {
  return rows.flatMap(([group]) => (typeof group === 'string' ? [group] : []))
}

/** The first column of every row, NULL left out; undefined if it cannot be known, which was logged. */
async function groupsOf(host: Host, request: Request, user: string): Promise<readonly string[] | undefined> {
  const { query } = host.configOf(request)
  const fail = (code: string, text: string): undefined => {
    host.log.write(request, 'error', code, text)
    return undefined
  }
  if (query === undefined) return fail('AH01649', 'No query configured for dbd-group!')
  const database = databaseWith(host, request, query)
  if (database === undefined) return fail('AH01650', 'Error retrieving query for dbd-group!')
  try {
    const found = await askShown(request, {
      ...statementQuestion(database.driver, query, [user]),
      ask: () => database.select(labelOf(query), [user]),
      shown: (answer) => `groups: ${namesOf(answer).join(', ') || 'none'}`,
    })
    return found === null ? [] : namesOf(found)
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      return fail('AH02903', 'No db handle available for dbd-query! Check your database access')
    }
    return fail('AH01652', `authz_dbd, in groups query for ${user} [${messageOf(error)}]`)
  }
}
