/** What a person is told when a prefix cannot be written, line by line; undefined for an error of another kind. */
export function installErrorLines(error: unknown, prefix: string): string[] | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? error.path.replace(/\/\.$/, '') : prefix
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return [
        `install: error: cannot write ${path}: ${error.code === 'EROFS' ? 'the file system is read-only' : 'permission denied'}`,
        'hint: run it as a user who may write there, choose another --prefix, or let --destdir DIR take it all',
      ]
    case 'ENOTDIR':
    case 'EEXIST':
      return [
        `install: error: cannot write ${path}: a file is in the way of a folder`,
        'hint: move the file away, or choose another --prefix',
      ]
    case 'ENOSPC':
      return [
        `install: error: cannot write ${path}: the disk is full`,
        'hint: files that were being replaced are as they were; make room and install again',
      ]
    default:
      return [
        `install: error: ${error.message}`,
        `hint: the installation in ${prefix} may be incomplete; mend this and install again`,
      ]
  }
}
