import type { ToolConsole } from './tool-console.ts'

const CHUNK = 64 * 1024

/** The lines of standard input, each with its newline; the last one may have none. A character for each byte. */
export function* inputLines({ readInput }: Pick<ToolConsole, 'readInput'>): Generator<string> {
  // Pieces of a long line are joined once, not with each piece.
  let pieces: string[] = []
  for (;;) {
    const bytes = readInput(CHUNK)
    let start = 0
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, start)) {
      pieces.push(bytes.toString('latin1', start, newline + 1))
      start = newline + 1
      yield pieces.join('')
      pieces = []
    }
    if (start < bytes.length) pieces.push(bytes.toString('latin1', start))
    if (bytes.length < CHUNK) break
  }
  if (pieces.length > 0) yield pieces.join('')
}

const NEWLINE = 0x0a
