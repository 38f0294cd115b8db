import { resolve } from 'node:path'

/** A path of a command line, absolute, still with one character for each byte. */
export function absolutePath(path: string): string {
  return resolve(Buffer.from(process.cwd()).toString('latin1'), path)
}

/** A path with one character per byte, in the form that the system requires. */
export function bytePath(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
