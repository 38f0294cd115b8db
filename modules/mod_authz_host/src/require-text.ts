import { type Command, isExpressionError, type ModuleLog, type Request } from '@gatewright/api'

/** The argument of a Require line that is a string expression. */
export interface RequireText {
  /** undefined if evaluation failed, which has been logged: deny. */
  of(request: Request): string | undefined
}

/** The provider's name and the code of the message about a failure. */
export interface FailureMessage {
  readonly provider: string
  readonly code: string
}

/** @returns an error text if the argument is not a string expression */
export function requireText(argument: string, command: Command, log: ModuleLog, failure: FailureMessage): RequireText | string {
  const text = command.services.text(argument, command, log)
  if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
  const { constant } = text
  if (constant !== undefined) return { of: () => constant }
  return {
    of(request) {
      try {
        return text.of(request)
      } catch (error) {
        if (!isExpressionError(error)) throw error
        const what = `authz_host authorize: require ${failure.provider}: Can't evaluate require expression`
        log.write(request, 'error', failure.code, `${what}: ${error.message}`)
        return undefined
      }
    },
  }
}
