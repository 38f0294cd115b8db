import { type Command, isExpressionError, type ModuleLog, type Request, type Text } from '@gatewright/api'

/** Parses the value of AuthType or AuthName. @returns an error text if the word is not a string expression */
export function authText(word: string, command: Command): Text | string {
  const text = command.services.text(word, command)
  return 'error' in text ? `Cannot parse expression '${word}' in ${command.name}: ${text.error}` : text
}

/** The value for a request; null if it cannot be evaluated, which is logged. */
export function authValue(text: Text, request: Request, log: ModuleLog, directive: 'AuthType' | 'AuthName'): string | null {
  if (text.constant !== undefined) return text.constant
  try {
    return text.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    const code = directive === 'AuthType' ? 'AH02834' : 'AH02835'
    log.write(request, 'error', code, `${directive} expression could not be evaluated: ${error.message}`)
    return null
  }
}
