import { type ClientListener, ClientSession, type ClientStream } from '@gatewright/http2/client'
import type { ConnectionSink, ConnectionUse, UpstreamConnection } from '@gatewright/upstream'

/** A connection to a back end and the session on it, which remains while the connection is idle. */
export class Link implements ConnectionSink {
  readonly connection: UpstreamConnection
  readonly session: ClientSession
  /** Requests that were sent by this connection. */
  begun = 0
  /** Requests that have been promised a place and are not sent yet. */
  #reserved = 0
  /** Requests that have not ended, including reserved ones. */
  #open = 0
  /** The connection takes no further requests, and closes after the present ones. */
  #isRetired = false
  #ended: (() => void) | null = null

  constructor(connection: UpstreamConnection) {
    this.connection = connection
    this.session = new ClientSession(connection)
    connection.idleSink = this
  }

  /** Whether another request may be sent now, beside those that are in progress. */
  get takesRequest(): boolean {
    return !this.#isRetired && !this.connection.closed && this.session.room > this.#reserved
  }

  /** The connection was acquired. @param ended called when its last request has ended */
  begin(ended: (() => void) | null): void {
    this.#ended = ended
    this.connection.sink = this
  }

  /** Keeps a place for a request, which has to follow in the same turn of the loop. */
  reserve(): void {
    this.#reserved++
    this.#open++
  }

  /** Sends the request that has a place. */
  request(
    method: string,
    fields: readonly (readonly [name: string, value: string])[],
    isWhole: boolean,
    listener: ClientListener,
  ): ClientStream {
    this.#reserved--
    this.begun++
    return this.session.request(method, fields, isWhole, listener)
  }

  /** A request has ended. @param keeps whether others may follow on this connection; those in progress are completed */
  requestEnded(keeps: boolean): void {
    if (!keeps) this.#isRetired = true
    this.#open--
    if (this.#open > 0) return
    this.#ended?.()
    this.#ended = null
    if (this.#isRetired || !this.session.isUsable) this.connection.destroy()
    else this.connection.release()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.session.receive(bytes, count)
    // A back end may leave while the connection is idle.
    if (this.session.isOver || (this.#open === 0 && !this.session.isUsable)) this.connection.destroy()
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
  /** Those with requests in progress, by worker and place. */
  readonly #busy = new WeakMap<ConnectionUse['worker'], Map<string, Set<Link>>>()

  /** A link with requests in progress that takes another one; null if there is none. @param place that of `take` */
  shared(worker: ConnectionUse['worker'], place: string): Link | null {
    for (const link of this.#busy.get(worker)?.get(place) ?? []) if (link.takesRequest) return link
    return null
  }

  /**
   * The link of a connection that was acquired; it receives what arrives from now on.
   * @param place what connections have in common that may carry each other's requests; null for a connection that carries one
   */
  take(connection: UpstreamConnection, worker: ConnectionUse['worker'], place: string | null): Link {
    let link = this.#links.get(connection)
    if (link === undefined) {
      link = new Link(connection)
      this.#links.set(connection, link)
    }
    link.begin(place === null ? null : this.#keep(link, worker, place))
    return link
  }

  /** @returns the function that removes it */
  #keep(link: Link, worker: ConnectionUse['worker'], place: string): () => void {
    let places = this.#busy.get(worker)
    if (places === undefined) {
      places = new Map()
      this.#busy.set(worker, places)
    }
    const known = places
    const links = known.get(place) ?? new Set()
    known.set(place, links)
    links.add(link)
    return () => {
      links.delete(link)
      if (links.size === 0 && known.get(place) === links) known.delete(place)
    }
  }
}
