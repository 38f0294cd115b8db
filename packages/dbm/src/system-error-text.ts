import { getSystemErrorMap } from 'node:util'

/**
 * The C library's text for an error number, as in httpd's log. Node has libuv's texts, which differ and serve
 * only for numbers that opening and reading files does not return.
 */
export function systemErrorText(errno: number): string {
  return TEXTS.get(errno) ?? getSystemErrorMap().get(-errno)?.[1] ?? `Unknown error ${errno}`
}

const TEXTS: ReadonlyMap<number, string> = new Map([
  [1, 'Operation not permitted'],
  [2, 'No such file or directory'],
  [5, 'Input/output error'],
  [6, 'No such device or address'],
  [9, 'Bad file descriptor'],
  [11, 'Resource temporarily unavailable'],
  [12, 'Cannot allocate memory'],
  [13, 'Permission denied'],
  [17, 'File exists'],
  [20, 'Not a directory'],
  [21, 'Is a directory'],
  [22, 'Invalid argument'],
  [23, 'Too many open files in system'],
  [24, 'Too many open files'],
  [27, 'File too large'],
  [28, 'No space left on device'],
  [30, 'Read-only file system'],
  [36, 'File name too long'],
  [40, 'Too many levels of symbolic links'],
  [116, 'Stale file handle'],
  [122, 'Disk quota exceeded'],
])
