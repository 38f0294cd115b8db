import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import type { OsError } from '../log.ts'

/**
 * A system error by its number (2, 13, ...), with the text of the C library on Linux, as in httpd's log. The
 * texts of Node differ.
 * @since 2.4.5
 */
export function systemError(code: number): OsError {
  return { code, text: TEXT_BY_NUMBER.get(code) ?? `Unknown error ${code}` }
}

/** Texts of system errors in the C library on Linux, by name. */
const ERRNO_TEXTS: ReadonlyMap<string, string> = new Map([
  ['EPERM', 'Operation not permitted'],
  ['ENOENT', 'No such file or directory'],
  ['ESRCH', 'No such process'],
  ['EINTR', 'Interrupted system call'],
  ['EIO', 'Input/output error'],
  ['ENXIO', 'No such device or address'],
  ['E2BIG', 'Argument list too long'],
  ['ENOEXEC', 'Exec format error'],
  ['EBADF', 'Bad file descriptor'],
  ['ECHILD', 'No child processes'],
  ['EAGAIN', 'Resource temporarily unavailable'],
  ['ENOMEM', 'Cannot allocate memory'],
  ['EACCES', 'Permission denied'],
  ['EFAULT', 'Bad address'],
  ['EBUSY', 'Device or resource busy'],
  ['EEXIST', 'File exists'],
  ['EXDEV', 'Invalid cross-device link'],
  ['ENODEV', 'No such device'],
  ['ENOTDIR', 'Not a directory'],
  ['EISDIR', 'Is a directory'],
  ['EINVAL', 'Invalid argument'],
  ['ENFILE', 'Too many open files in system'],
  ['EMFILE', 'Too many open files'],
  ['ENOTTY', 'Inappropriate ioctl for device'],
  ['ETXTBSY', 'Text file busy'],
  ['EFBIG', 'File too large'],
  ['ENOSPC', 'No space left on device'],
  ['ESPIPE', 'Illegal seek'],
  ['EROFS', 'Read-only file system'],
  ['EMLINK', 'Too many links'],
  ['EPIPE', 'Broken pipe'],
  ['EDOM', 'Numerical argument out of domain'],
  ['ERANGE', 'Numerical result out of range'],
  ['EDEADLK', 'Resource deadlock avoided'],
  ['ENAMETOOLONG', 'File name too long'],
  ['ENOLCK', 'No locks available'],
  ['ENOSYS', 'Function not implemented'],
  ['ENOTEMPTY', 'Directory not empty'],
  ['ELOOP', 'Too many levels of symbolic links'],
  ['ENOMSG', 'No message of desired type'],
  ['EIDRM', 'Identifier removed'],
  ['EUNATCH', 'Protocol driver not attached'],
  ['ENOSTR', 'Device not a stream'],
  ['ENODATA', 'No data available'],
  ['ETIME', 'Timer expired'],
  ['ENOSR', 'Out of streams resources'],
  ['ENONET', 'Machine is not on the network'],
  ['ENOLINK', 'Link has been severed'],
  ['EPROTO', 'Protocol error'],
  ['EMULTIHOP', 'Multihop attempted'],
  ['EBADMSG', 'Bad message'],
  ['EOVERFLOW', 'Value too large for defined data type'],
  ['EILSEQ', 'Invalid or incomplete multibyte or wide character'],
  ['ENOTSOCK', 'Socket operation on non-socket'],
  ['EDESTADDRREQ', 'Destination address required'],
  ['EMSGSIZE', 'Message too long'],
  ['EPROTOTYPE', 'Protocol wrong type for socket'],
  ['ENOPROTOOPT', 'Protocol not available'],
  ['EPROTONOSUPPORT', 'Protocol not supported'],
  ['ESOCKTNOSUPPORT', 'Socket type not supported'],
  ['EOPNOTSUPP', 'Operation not supported'],
  ['ENOTSUP', 'Operation not supported'],
  ['EAFNOSUPPORT', 'Address family not supported by protocol'],
  ['EADDRINUSE', 'Address already in use'],
  ['EADDRNOTAVAIL', 'Cannot assign requested address'],
  ['ENETDOWN', 'Network is down'],
  ['ENETUNREACH', 'Network is unreachable'],
  ['ENETRESET', 'Network dropped connection on reset'],
  ['ECONNABORTED', 'Software caused connection abort'],
  ['ECONNRESET', 'Connection reset by peer'],
  ['ENOBUFS', 'No buffer space available'],
  ['EISCONN', 'Transport endpoint is already connected'],
  ['ENOTCONN', 'Transport endpoint is not connected'],
  ['ESHUTDOWN', 'Cannot send after transport endpoint shutdown'],
  ['ETIMEDOUT', 'Connection timed out'],
  ['ECONNREFUSED', 'Connection refused'],
  ['EHOSTDOWN', 'Host is down'],
  ['EHOSTUNREACH', 'No route to host'],
  ['EALREADY', 'Operation already in progress'],
  ['EINPROGRESS', 'Operation now in progress'],
  ['ESTALE', 'Stale file handle'],
  ['EREMOTEIO', 'Remote I/O error'],
  ['EDQUOT', 'Disk quota exceeded'],
  ['ECANCELED', 'Operation canceled'],
])

const TEXT_BY_NUMBER: ReadonlyMap<number, string> = /* @__PURE__ */ buildTexts()

/** Numbers differ between systems, names do not, so the numbers come from the running system. */
function buildTexts(): Map<number, string> {
  const texts = new Map<number, string>()
  for (const [negative, [name, fallback]] of getSystemErrorMap()) {
    if (negative > -3000) texts.set(-negative, ERRNO_TEXTS.get(name) ?? fallback)
  }
  for (const [name, code] of Object.entries(constants.errno)) {
    const text = ERRNO_TEXTS.get(name)
    if (text !== undefined) texts.set(code, text)
  }
  return texts
}
