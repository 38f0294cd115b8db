import { spawnSync } from 'node:child_process'

/** In milliseconds. */
const TIME_LIMIT = 30_000

/** Blanks separate words; quotation marks hold them together. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g

/**
 * The first line that a program prints, without its line end; null if it prints none, cannot be run or fails.
 * @param command a path, relative to the ServerRoot, and arguments
 */
export function passphraseFrom(command: string, serverRelative: (path: string) => string): string | null {
  const words = [...command.matchAll(WORD)].map(([, double, single, bare]) => double?.replace(/\\(.)/g, '$1') ?? single ?? bare)
  const [program, ...args] = words
  if (program === undefined) return null
  const { status, stdout, error } = spawnSync(serverRelative(program), args, {
    encoding: 'latin1',
    timeout: TIME_LIMIT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error !== undefined || status !== 0) return null
  const [line] = stdout.split('\n')
  return line === '' ? null : line.replace(/\r$/, '')
}
