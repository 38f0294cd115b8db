import { readdirSync, readFileSync } from 'node:fs'

/** The bytes of a file, or the system's error. Paths have one character per byte. */
export function readBytes(path: string): Buffer | Error {
  try {
    return readFileSync(Buffer.from(path, 'latin1'))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The same as text with one character per byte; '' for a file that cannot be read. */
export function readText(path: string): string {
  const bytes = readBytes(path)
  return bytes instanceof Error ? '' : bytes.toString('latin1')
}

/** Names in a folder that are no folders themselves, in order; none when it cannot be read. */
export function fileNamesIn(path: string): readonly string[] {
  try {
    const entries = readdirSync(Buffer.from(path, 'latin1'), { withFileTypes: true, encoding: 'latin1' })
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort()
  } catch {
    return []
  }
}
