import { readFileSync } from 'node:fs'
import { ConfigError } from '@gatewright/core'
import { originalLine } from '@gatewright/policy'

/**
 * A mistake in texts that were rewritten, at the line of the user's file that it comes from.
 * @param texts as they were opened
 */
export function atUsersLine(error: ConfigError, texts: ReadonlyMap<string, string>): ConfigError {
  const { phase, file, line, hint } = error
  let written: string | null = null
  const place = (path: string, number: number): number => {
    const [text, now] = [onDisk(path), texts.get(path)]
    if (text === null || now === undefined || number === 0) return number
    const found = originalLine(text, now, number)
    written = found.written
    return found.line
  }
  const own = place(file, line)
  // A mistake in an included file is reported with its own place.
  const message = error.message.replace(
    /Syntax error on line (\d+) of (.+?): /g,
    (_, number: string, path: string) => `Syntax error on line ${place(path, Number(number))} of ${path}: `,
  )
  const text = written === null ? message : `${message} (in the text that would replace this line: ${written})`
  return own === line && text === error.message ? error : new ConfigError(phase, file, own, text, hint)
}

/** null for a file that is nowhere but in memory. */
function onDisk(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
