import { type Command, isExpressionError, type ModuleLog, type Request } from '@gatewright/api'

/** The words of a Require line that is a string expression. */
export interface RequireWords {
  /** Undefined when evaluation failed, which has then been logged: deny. */
  of(request: Request): readonly string[] | undefined
}

/** @returns an error text when the argument is no string expression */
export function requireWords(argument: string, command: Command, log: ModuleLog): RequireWords | string {
  const text = command.services.text(argument, command)
  if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
  if (text.constant !== undefined) {
    const words = command.words(text.constant)
    return { of: () => words }
  }
  return {
    of(request) {
      try {
        return command.words(text.of(request))
      } catch (error) {
        if (!isExpressionError(error)) throw error
        const what = "authz_user authorize: require user: Can't evaluate require expression"
        log.write(request, 'error', 'AH02594', `${what}: ${error.message}`)
        return undefined
      }
    },
  }
}
