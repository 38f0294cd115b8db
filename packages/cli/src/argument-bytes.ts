import { readFileSync } from 'node:fs'

/**
 * The words of a command line as the tools want them: one character a byte. Node reads them as UTF-8 and puts U+FFFD where they are none;
 * then the system is asked for the bytes.
 */
export function byteArguments(argv: readonly string[]): string[] {
  const raw = argv.some((word) => word.includes('\ufffd')) ? rawArguments(argv.length) : undefined
  return raw ?? byteWords(argv)
}

/** Words that Node read as UTF-8, one character a byte. */
export function byteWords(words: readonly string[]): string[] {
  return words.map((word) => Buffer.from(word).toString('latin1'))
}

/** @returns undefined where the system does not tell */
function rawArguments(count: number): string[] | undefined {
  try {
    const words = readFileSync('/proc/self/cmdline', 'latin1').split('\0').slice(0, -1)
    return words.slice(words.length - count)
  } catch {
    return undefined
  }
}
