const ERRORS = {
  ENOENT: [-2, 'no such file or directory'],
  EBADF: [-9, 'bad file descriptor'],
  ENOTDIR: [-20, 'not a directory'],
  EISDIR: [-21, 'illegal operation on a directory'],
  EROFS: [-30, 'read-only file system'],
} as const

/** An error with the properties that Node's have. */
export function systemError(code: keyof typeof ERRORS, syscall: string, path?: string): Error {
  const [errno, text] = ERRORS[code]
  const where = path === undefined ? '' : ` '${path}'`
  return Object.assign(new Error(`${code}: ${text}, ${syscall}${where}`), {
    code,
    errno,
    syscall,
    ...(path !== undefined && { path }),
  })
}
