import { type AuthzProvider, type AuthzStatus, isExpressionError, type ModuleLog } from '@gatewright/api'

/**
 * `Require expr EXPRESSION`. If the expression is false and mentions the user anywhere, the result requires a
 * user, even after authentication: the text of the expression decides, not whether there is a user.
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

/** Removes double quotes around the whole argument; nothing inside is unescaped. */
function withoutQuotes(argument: string): string {
  return argument.length > 1 && argument.startsWith('"') && argument.endsWith('"') ? argument.slice(1, -1) : argument
}
