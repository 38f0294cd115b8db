import { DavError } from '@gatewright/dav'

/** Says that the disk is full where documents are written. */
export const FULL = 'There is not enough storage to write to this resource.'

/** Whether an error of the system has a code, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** The failure of an operation of the system. @param status where the disk has enough space */
export function failure(error: unknown, status: number, text: string, ofFullDisk: string): DavError {
  const osError = error instanceof Error ? error : undefined
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new DavError(507, ofFullDisk, { osError })
  return new DavError(status, text, { osError })
}
