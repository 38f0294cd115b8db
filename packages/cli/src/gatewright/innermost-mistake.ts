import { ConfigError } from '@gatewright/core'

/**
 * An error in an included file is reported for the line that includes it, with its own place in the message.
 * Returns that place and message.
 */
export function innermostMistake(error: ConfigError): ConfigError {
  const { message, hint, phase } = error
  const inner = /^Syntax error on line (\d+) of (.+?): (.*)$/s.exec(message)
  if (inner === null) return error
  return innermostMistake(new ConfigError(phase, inner[2], Number(inner[1]), inner[3], hint))
}
