import { readFileSync } from 'node:fs'

/**
 * The arguments of a command line in the form that the tools use: one character per byte. Node decodes them
 * as UTF-8 and inserts U+FFFD for invalid bytes; in that case the system provides the bytes.
 */
export function byteArguments(argv: readonly string[]): string[] {
  const raw = argv.some((word) => word.includes('\ufffd')) ? rawArguments(argv.length) : undefined
  return raw ?? byteWords(argv)
}

/** Encodes words that Node decoded as UTF-8 again, one character per byte. */
export function byteWords(words: readonly string[]): string[] {
  return words.map((word) => Buffer.from(word).toString('latin1'))
}

/** @returns undefined if the system does not provide them */
function rawArguments(count: number): string[] | undefined {
  try {
    const words = readFileSync('/proc/self/cmdline', 'latin1').split('\0').slice(0, -1)
    return words.slice(words.length - count)
  } catch {
    return undefined
  }
}
