import type { Connection, TrafficObserver } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import type { ClientConnection } from '@gatewright/http'
import { Cleanups } from '../base/cleanups.ts'
import type { LogId } from '../base/log-ids.ts'
import type { ClientName } from './client-name.ts'
import type { ServerRecord } from './server-record.ts'
import { type AddressHosts, hostForName } from './virtual-hosts.ts'

/** A connection as modules see it; wraps the engine's connection. */
export class ConnectionRecord implements Connection {
  /** Another one when the client changes its protocol. */
  http: ClientConnection
  /** The virtual hosts that the local address selects. */
  readonly hosts: AddressHosts
  keepalives = 0
  /** Sent with the first line of the error log. */
  logId: LogId | null = null
  /** True if a module's preConnection function failed. */
  refused = false
  /** The cached lookup of the client's name; null before the lookup. */
  clientName: ClientName | null = null
  /** The server's name on this connection for `UseCanonicalName DNS`; null before the lookup. */
  localName: string | null = null
  /** The scheme of its requests; null if their servers determine it. */
  scheme: 'http' | 'https' | null = null
  /** The scheme of requests that another server received; null for those of this connection. */
  readonly foreignScheme: 'http' | 'https' | null = null
  /** Bytes of the bodies of all finished responses, for status pages. */
  bytes = 0
  /** Receives every decision about requests of this connection; null if requests are served. */
  tracer: DecisionTracer | null = null
  /** Module data by slot number; null if there is none. */
  moduleSlots: unknown[] | null = null
  #cleanups: Cleanups | null = null

  constructor(http: ClientConnection, hosts: AddressHosts) {
    this.http = http
    this.hosts = hosts
  }

  get remoteAddress(): string {
    return this.http.remoteAddress
  }

  get remotePort(): number {
    return this.http.remotePort
  }

  get localAddress(): string {
    return this.http.localAddress
  }

  get localPort(): number {
    return this.http.localPort
  }

  get baseServer(): ServerRecord {
    return this.hosts.first
  }

  serverNamed(name: string): ServerRecord | undefined {
    return hostForName(this.hosts, name)
  }

  expectPreface(read: (bytes: Uint8Array) => number | 'more' | 'refuse'): void {
    this.http.preface = read
  }

  observeTraffic(observer: TrafficObserver): void {
    this.http.observe(observer)
  }

  onClose(cleanup: () => void): void {
    this.#cleanups ??= new Cleanups()
    this.#cleanups.add(cleanup)
  }

  /** Runs the cleanups, last registered first. */
  over(failed: (error: unknown) => void): void {
    this.#cleanups?.run(failed)
  }

  get hasUnusedInput(): boolean {
    return this.http.hasUnusedInput
  }

  get aborted(): boolean {
    return this.http.closed
  }
}
