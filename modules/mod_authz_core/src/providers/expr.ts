import { type AuthzProvider, type AuthzStatus, isExpressionError, type ModuleLog } from '@gatewright/api'

/**
 * `Require expr EXPRESSION`. An expression that mentions the user anywhere and is false asks for one, again and again: its text is what
 * counts, not whether there is a user.
 */
export function exprProvider(log: ModuleLog): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const condition = command.services.condition(withoutQuotes(argument), command)
      if ('error' in condition) return `Cannot parse expression in require line: ${condition.error}`
      const otherwise: AuthzStatus = condition.mentions.has('REMOTE_USER') ? 'denied-no-user' : 'denied'
      return (request) => {
        try {
          return condition.test(request) ? 'granted' : otherwise
        } catch (error) {
          if (!isExpressionError(error)) throw error
          log.write(request, 'error', 'AH02320', `Error evaluating expression in 'Require expr': ${error.message}`)
          return 'general-error'
        }
      }
    },
  }
}

/** Double quotes around the whole are dropped; nothing inside is unescaped. */
function withoutQuotes(argument: string): string {
  return argument.length > 1 && argument.startsWith('"') && argument.endsWith('"') ? argument.slice(1, -1) : argument
}
