import { pid } from 'node:process'
import type { HostServices, LogItem } from '@gatewright/api'
import { escapeLogItem } from '@gatewright/api/text'
import type { ItemDefinition } from '../compile-format.ts'

/** Addresses, names, ports, process and connection state: `%a %A %h %l %p %P %v %V %k %X`. */
export function connectionItems(services: Pick<HostServices, 'knownRemoteHost'>): readonly (readonly [string, ItemDefinition])[] {
  const clientName: LogItem = (request) => {
    const name = services.knownRemoteHost(request)
    return name === null ? request.useragentAddress : escapeLogItem(name)
  }
  // The name is that of the connection's peer unless a module has set another client address.
  const peerName: LogItem = (request, transaction) =>
    request.useragentAddress === request.connection.remoteAddress
      ? clientName(request, transaction)
      : request.connection.remoteAddress
  return [
    ['a', { make: (argument) => (argument === 'c' ? peerAddress : clientAddress), subject: 'final' }],
    ['A', { make: () => (request) => request.connection.localAddress, subject: 'final' }],
    ['h', { make: (argument) => (argument === 'c' ? peerName : clientName), subject: 'final' }],
    // The ident protocol is not supported.
    ['l', { make: () => () => null, subject: 'final' }],
    ['p', { make: portItem, subject: 'final' }],
    ['P', { make: processItem, subject: 'final' }],
    ['v', { make: () => (request) => escapeLogItem(request.server.serverName), subject: 'final' }],
    ['V', { make: () => (request) => escapeLogItem(request.serverName()), subject: 'final' }],
    ['k', { make: () => earlierRequests, subject: 'final' }],
    ['X', { make: () => connectionState, subject: 'final' }],
  ]
}

const clientAddress: LogItem = (request) => request.useragentAddress
const peerAddress: LogItem = (request) => request.connection.remoteAddress

/**
 * `%p`: the port of ServerName or the scheme's; `{local}` is that of the connection, `{remote}` the client's,
 * 0 if a proxy does not report it. An unknown word prints itself.
 */
function portItem(argument: string): LogItem {
  switch (argument.toLowerCase()) {
    case '':
    case 'canonical':
      return ({ server, scheme }) => String(server.serverPort || (scheme === 'https' ? 443 : 80))
    case 'local':
      return (request) => String(request.connection.localPort)
    case 'remote':
      return (request) => String(request.useragentPort)
    default:
      return () => argument
  }
}

/** `%P`: each worker has one thread, whose number is that of the process. */
function processItem(argument: string): LogItem {
  const text =
    argument === '' || argument === 'pid' || argument === 'tid'
      ? String(pid)
      : argument === 'hextid'
        ? pid.toString(16)
        : argument
  return () => text
}

/**
 * Number of earlier requests. httpd counts a request of a persistent connection before logging it, and one
 * that closes the connection not at all, so the last request repeats a number.
 */
const earlierRequests: LogItem = (request, { keptAlive }) => {
  const { keepalives } = request.connection
  return String(keptAlive || keepalives === 0 ? keepalives : keepalives - 1)
}

const connectionState: LogItem = (request, { keptAlive }) => (request.connection.aborted ? 'X' : keptAlive ? '+' : '-')
