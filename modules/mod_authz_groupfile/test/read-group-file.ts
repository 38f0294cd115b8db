import { type GroupFile, GroupReader } from '../src/group-file.ts'

/** Reads a complete file that is given in parts. */
export function readGroupFile(...parts: readonly string[]): GroupFile {
  return readParts(new GroupReader(null), parts)
}

/** The result of a reader for a file that is given in parts. */
export function readParts(reader: GroupReader, parts: readonly string[]): GroupFile {
  for (const part of parts) if (!drain(reader.read(part))) break
  return drain(reader.finish())
}

function drain<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
