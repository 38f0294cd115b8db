import { statSync } from 'node:fs'
import { systemError } from '@gatewright/api/text'
import type { FcgidCommand } from './config.ts'

/** The longest path and command line, as mod_fcgid is compiled. */
const PATH_LIMIT = 256
const LINE_LIMIT = 512

/** The words of a command line, as APR splits them: quotes keep blanks, a backslash keeps the next character. */
export function commandWords(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:"(?:\\.|[^"])*"?|'(?:\\.|[^'])*'?|\\.|[^\s"'\\])+\\?|\\$/gs)) {
    const quote = word[0]
    const isQuoted = (quote === '"' || quote === "'") && word.length > 1 && word.endsWith(quote)
    words.push((isQuoted ? word.slice(1, -1) : word).replaceAll(/\\(.)/gs, '$1'))
  }
  return words
}

/**
 * Reads the command line of a directive.
 * @param kind what the file is, for the message about one that is missing
 * @param invalid the message about an empty line
 */
export function readCommand(
  line: string,
  { kind, invalid, isVirtual = false }: { readonly kind: string; readonly invalid: string; readonly isVirtual?: boolean },
): FcgidCommand | string {
  const words = commandWords(line)
  const [path = ''] = words
  if (path === '') return invalid
  try {
    const { ino, dev } = statSync(Buffer.from(path, 'latin1'))
    if (path.length >= PATH_LIMIT) return 'Executable path length exceeds compiled-in limit'
    if (line.length >= LINE_LIMIT) return 'Command line length exceeds compiled-in limit'
    return { words, line, inode: ino, device: dev, isVirtual }
  } catch (error) {
    return missing(kind, kind === 'Wrapper' ? path : line, error)
  }
}

/** mod_fcgid's message about a file that it cannot find. */
export function missing(kind: string, path: string, error: unknown): string {
  const number = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? -error.errno : 2
  const { code, text } = systemError(number)
  return `${kind} ${path} cannot be accessed: (${code})${text}`
}
