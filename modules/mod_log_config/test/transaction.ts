import { type Connection, type Fields, type Request, type Server, Table, type Transaction } from '@gatewright/api'
import { altered, servedRequest } from '@gatewright/testing'

/** A request of a server that has ended, from 192.0.2.7 to 192.0.2.1. */
const REQUEST = await servedRequest(
  {
    target: '/',
    remoteAddress: '192.0.2.7',
    localAddress: '192.0.2.1',
    localPort: 8080,
    headers: { Host: 'host.test' },
  },
  { config: 'UseCanonicalName Off' },
)

/** That request with other properties. */
export function requestWith(changes: Partial<Request> = {}): Request {
  return altered(REQUEST, {
    status: 200,
    filename: '',
    handler: null,
    contentType: null,
    useragentPort: 40_001,
    receivedAt: 1_795_240_205_313.213,
    connection: connectionWith(),
    serverName: () => 'host.test',
    serverPort: () => 80,
    ...changes,
  })
}

/** Properties of the connection of such a request. */
export function connectionWith(changes: Partial<Connection> = {}): Connection {
  return altered(REQUEST.connection, { remotePort: 40_001, keepalives: 0, aborted: false, ...changes })
}

/** Properties of its server. */
export function serverWith(changes: Partial<Server> = {}): Server {
  return altered(REQUEST.server, { serverPort: 0, ...changes })
}

/** Request fields with these values alone. */
export function fieldsOf(values: Readonly<Record<string, string>>): Fields {
  const table = tableOf(values)
  return altered(REQUEST.headersIn, { get: (name: string) => table.get(name), has: (name: string) => table.has(name) })
}

/** A table of these entries. */
export function tableOf(entries: Readonly<Record<string, string>>): Table {
  const table = new Table()
  for (const [name, value] of Object.entries(entries)) table.add(name, value)
  return table
}

/** A transaction with default values, except for the given ones. */
export function fakeTransaction(changes: Partial<Transaction> & { readonly request?: Request } = {}): Transaction {
  const request = changes.request ?? requestWith()
  return {
    original: request,
    final: request,
    bodyBytesSent: 6,
    endedAt: request.receivedAt + 1234.567,
    durationUs: 1_234_567,
    firstByteUs: 104,
    keptAlive: true,
    logId: null,
    connectionLogId: null,
    responseHeader: () => [],
    requestTrailer: () => undefined,
    responseTrailer: () => undefined,
    ...changes,
  }
}
