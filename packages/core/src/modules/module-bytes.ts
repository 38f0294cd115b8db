import { readFileSync, statSync } from 'node:fs'
import { systemReason } from '../base/error-text.ts'

/** The bytes of a module's file, or the loader's reason why it cannot be read, and the solution. */
export type ModuleBytes = { readonly bytes: Buffer } | { readonly reason: string; readonly hint: string }

/** Far larger than any bundle; a larger file is named by mistake. */
const LARGEST = 256 * 1024 * 1024

/**
 * Reads a module's file whole. Only a regular file is opened: a FIFO would wait for a writer, and a device
 * may react.
 */
export function readModuleBytes(file: string): ModuleBytes {
  try {
    const stat = statSync(file)
    if (stat.isDirectory())
      return { reason: 'cannot read file data: Is a directory', hint: `${file} is a folder: name the module file in it` }
    if (!stat.isFile()) {
      return {
        reason: 'cannot read file data: Not a regular file',
        hint: `${file} is a pipe, socket or device: name the file that apxs -c has built`,
      }
    }
    if (stat.size > LARGEST) {
      return {
        reason: 'cannot read file data: File too large',
        hint: `${file} has ${stat.size} bytes; a module has at most ${LARGEST}: name a module file`,
      }
    }
    return { bytes: readFileSync(file) }
  } catch (error) {
    return cannotOpen(error, file)
  }
}

function cannotOpen(error: unknown, file: string): ModuleBytes {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      reason: `cannot open shared object file: ${systemReason(error)}`,
      hint: `the user that starts the server needs read permission on ${file} and search permission on the folders above it`,
    }
  }
  return { reason: `cannot open shared object file: ${systemReason(error)}`, hint: `looked for ${file}` }
}
