/** A command of an operator, as it is sent to a server. */
export interface CommandRequest {
  /** The name of the command, and what follows it. */
  readonly words: readonly string[]
  /** Whether workers of former configurations that still have requests answer as well. */
  readonly isOfFormer: boolean
}

/** Most characters of a command. */
export const LONGEST_REQUEST: number = 64 * 1024

/** The line that is sent for a command, with its end. */
export function requestLine(request: CommandRequest): string {
  return `${JSON.stringify(request)}\n`
}

/** The command in a line without its end; null if it is none. */
export function commandRequest(line: string): CommandRequest | null {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null || !('words' in value && 'isOfFormer' in value)) return null
  const { words, isOfFormer } = value
  const areWords = Array.isArray(words) && words.length > 0 && words.every((word): word is string => typeof word === 'string')
  return areWords && typeof isOfFormer === 'boolean' ? { words, isOfFormer } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
