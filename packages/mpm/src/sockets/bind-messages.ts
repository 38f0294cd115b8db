import { constants } from 'node:os'
import { osErrorText, systemError } from '@gatewright/log'
import { addressText } from './listen-address.ts'
import type { BindFailure } from './listen-sockets.ts'

/**
 * The lines of a start that fails because an address cannot be bound, or because no address is configured.
 */
export function bindFailureLines(failures: readonly BindFailure[]): string[] {
  const causes = failures.map(
    ({ address, errno }) =>
      `${osErrorText(systemError(errno))}: AH00072: make_sock: could not bind to address ${addressText(address)}`,
  )
  return [...causes, 'no listening sockets available, shutting down', 'AH00015: Unable to open logs', ...hint(failures)]
}

function hint(failures: readonly BindFailure[]): string[] {
  const [first] = failures
  if (first === undefined) return ['hint: the configuration has no Listen line: add one, such as Listen 8080']
  const directive = `Listen ${first.listen.address === '*' ? first.listen.port : addressText(first.listen)}`
  switch (first.errno) {
    case constants.errno.EADDRINUSE:
      return [
        `hint: ${directive}: another program uses port ${first.listen.port}, or two Listen lines overlap: stop that program, or choose another port`,
      ]
    case constants.errno.EACCES:
      return [`hint: ${directive}: ports below 1024 require root: start as root with User and Group, or choose a port above 1023`]
    case constants.errno.EADDRNOTAVAIL:
      return [`hint: ${directive}: this machine does not have that address: correct the line, or configure the network first`]
    default:
      return [`hint: ${directive}: choose another address or port`]
  }
}
