import { fstatSync } from 'node:fs'
import { normalize } from 'node:path'

const OWN_DESCRIPTOR = /^\/(?:proc\/(?:self|thread-self)\/fd|dev\/fd)\/([0-9]+)$/

/**
 * The number of the server's own descriptor that a path names: 1 for `/dev/stdout`, `/dev/fd/1` and
 * `/proc/self/fd/1`, 2 for standard error, and so on. Undefined for any other path. Only the server itself
 * can open such a path: in workers, these numbers belong to other descriptors.
 */
export function ownDescriptor(path: string): number | undefined {
  if (!path.startsWith('/')) return undefined
  const plain = normalize(path)
  if (plain === '/dev/stdout') return 1
  if (plain === '/dev/stderr') return 2
  const number = OWN_DESCRIPTOR.exec(plain)?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * A path that opens the target of the descriptor for appending, if that is a file. Undefined for pipes,
 * sockets and terminals, which are written to directly.
 */
export function appendablePath(fd: number): string | undefined {
  try {
    return fstatSync(fd).isFile() ? `/proc/self/fd/${fd}` : undefined
  } catch {
    return undefined
  }
}
