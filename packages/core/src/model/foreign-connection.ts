import type { ForeignRequest } from '@gatewright/api'
import { ConnectionRecord } from './connection-record.ts'

/**
 * The connection of a request that another server received: its peer is the client of that server. Nothing is
 * encrypted as far as this server can see.
 */
export class ForeignConnection extends ConnectionRecord {
  override readonly foreignScheme: 'http' | 'https'
  readonly #address: string
  readonly #port: number
  readonly #whenUsed: (connection: ForeignConnection) => void
  #isUsed = false

  /**
   * @param asker the connection by which the other server asks
   * @param whenUsed called once, when something has to be cleaned up at the connection's end
   */
  constructor(
    asker: ConnectionRecord,
    { clientAddress, clientPort, scheme }: ForeignRequest,
    whenUsed: (connection: ForeignConnection) => void,
  ) {
    super(asker.http, asker.hosts)
    this.#address = clientAddress
    this.#port = clientPort
    this.#whenUsed = whenUsed
    this.scheme = scheme
    this.foreignScheme = scheme
    this.logId = asker.logId
    this.tracer = asker.tracer
  }

  override onClose(cleanup: () => void): void {
    super.onClose(cleanup)
    if (this.#isUsed) return
    this.#isUsed = true
    this.#whenUsed(this)
  }

  override get remoteAddress(): string {
    return this.#address
  }

  override get remotePort(): number {
    return this.#port
  }
}
