import { ConnectionRecord } from './connection-record.ts'

/**
 * The connection of a request that another server received: its peer is the client of that server. Nothing is
 * encrypted as far as this server can see.
 */
export class ForeignConnection extends ConnectionRecord {
  override readonly foreignScheme: 'http' | 'https'
  readonly #address: string
  readonly #port: number

  /** @param asker the connection by which the other server asks */
  constructor(asker: ConnectionRecord, address: string, port: number, scheme: 'http' | 'https') {
    super(asker.http, asker.hosts)
    this.#address = address
    this.#port = port
    this.scheme = scheme
    this.foreignScheme = scheme
    this.logId = asker.logId
    this.tracer = asker.tracer
  }

  override get remoteAddress(): string {
    return this.#address
  }

  override get remotePort(): number {
    return this.#port
  }
}
