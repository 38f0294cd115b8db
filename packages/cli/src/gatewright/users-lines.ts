import { readFileSync } from 'node:fs'
import { ConfigError } from '@gatewright/core'
import { originalLine } from '@gatewright/policy'

/**
 * An error in rewritten texts, at the corresponding line of the user's file.
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

/** Null for a file that exists only in memory. */
function onDisk(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
