import { type PasswordFile, PasswordReader } from '../src/password-file.ts'

/** Reads a complete file that is given in parts. */
export function readPasswordFile(...parts: readonly string[]): PasswordFile {
  return readParts(new PasswordReader(null, () => undefined), parts)
}

/** The result of a reader for a file that is given in parts. */
export function readParts(reader: PasswordReader, parts: readonly string[]): PasswordFile {
  for (const part of parts) if (!drain(reader.read(part))) break
  return drain(reader.finish())
}

function drain<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
