import { ClientSession } from '@gatewright/http2/client'
import type { ConnectionSink, UpstreamConnection } from '@gatewright/upstream'

/** A connection to a back end and the session on it, which remains while the connection is idle. */
export class Link implements ConnectionSink {
  readonly connection: UpstreamConnection
  readonly session: ClientSession

  constructor(connection: UpstreamConnection) {
    this.connection = connection
    this.session = new ClientSession(connection)
    connection.idleSink = this
  }

  /** Ends the present exchange. @param keeps whether other requests may use the connection */
  release(keeps: boolean): void {
    if (keeps && this.session.isUsable) this.connection.release()
    else this.connection.destroy()
  }

  onBytes(bytes: Buffer, count: number): void {
    const wasUsable = this.session.isUsable
    this.session.receive(bytes, count)
    // A back end may leave while the connection is idle.
    if (this.session.isOver || (wasUsable && !this.session.isUsable)) this.connection.destroy()
  }

  onEnd(): void {
    this.session.close(null)
    this.connection.destroy()
  }

  onDrain(): void {
    this.session.drained()
  }

  onClose(error: Error | null): void {
    this.session.close(error)
  }
}

/** The sessions of open connections. */
export class Links {
  readonly #links = new WeakMap<UpstreamConnection, Link>()

  /** The link of a connection that was acquired; it receives what arrives from now on. */
  take(connection: UpstreamConnection): Link {
    let link = this.#links.get(connection)
    if (link === undefined) {
      link = new Link(connection)
      this.#links.set(connection, link)
    }
    connection.sink = link
    return link
  }
}
