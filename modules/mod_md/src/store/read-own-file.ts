import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Bytes of the largest file of a store. */
const SIZE_LIMIT = 1024 * 1024

/**
 * The text of a file; undefined when there is none. Workers write some of the files that root reads, so that links,
 * pipes and huge files are refused.
 * @throws Error for these, and when the file cannot be read
 */
export function readOwnFile(path: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
  try {
    const info = fstatSync(descriptor)
    if (!info.isFile() || info.size > SIZE_LIMIT) throw new Error(`${path} is no file of a store`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}
