/** The message for people if a prefix cannot be written, line by line; undefined for other errors. */
export function installErrorLines(error: unknown, prefix: string): string[] | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? error.path.replace(/\/\.$/, '') : prefix
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return [
        `install: error: cannot write ${path}: ${error.code === 'EROFS' ? 'the file system is read-only' : 'permission denied'}`,
        'hint: run it as a user with write permission, choose another --prefix, or install below --destdir DIR',
      ]
    case 'ENOTDIR':
    case 'EEXIST':
      return [
        `install: error: cannot write ${path}: a file exists where a folder is needed`,
        'hint: move the file, or choose another --prefix',
      ]
    case 'ENOSPC':
      return [
        `install: error: cannot write ${path}: the disk is full`,
        'hint: the files that were being replaced are unchanged; free some space and install again',
      ]
    default:
      return [
        `install: error: ${error.message}`,
        `hint: the installation in ${prefix} may be incomplete; correct the cause and install again`,
      ]
  }
}
