/**
 * Called once when the bytes of a write were passed to the system, or never will be because the connection
 * has closed.
 */
export type WriteCallback = (error?: Error | null) => void

/** The local address of a client's connection. */
export interface LocalAddress {
  readonly address: string
  readonly port: number
}

/** Events that a transport reports to its connection. */
export interface TransportSink {
  /** The first `count` bytes have arrived. They are valid only during the call. */
  onBytes(bytes: Buffer, count: number): void
  /** The peer has closed its sending side. */
  onEnd(): void
  /** After `write` returned false: all pending writes are complete. */
  onDrain(): void
  /** The connection has closed; no further calls follow. */
  onClose(): void
}

/** Sees all bytes of a connection, for logs. Must not throw, and must not keep what it receives. */
export interface TrafficObserver {
  /** Bytes from the client. */
  received(bytes: Uint8Array): void
  /** Bytes for the client, in the order in which they are written. A string is latin1. */
  sent(bytes: Uint8Array | string): void
}

/**
 * A stream of bytes to and from a client. The engine accesses sockets only through this interface, so that
 * other kinds of streams can replace them. A string is latin1.
 */
export interface Transport {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
  /** Bytes of incomplete writes. */
  readonly writableLength: number
  /** Like `writableLength`, but decreases while a single large write makes progress. */
  readonly unsentBytes: number
  /** Null until the host wants to see the traffic. */
  observer: TrafficObserver | null
  attach(sink: TransportSink): void
  /** Events go to another sink from now on. */
  pass(sink: TransportSink): void
  /** Returns false if the caller should wait for onDrain. */
  write(data: Buffer | string, done: WriteCallback | null): boolean
  /** Collects writes until uncork; calls nest. */
  cork(): void
  uncork(): void
  /** Small writes wait for the end of this turn of the event loop, or for a large one. */
  holdUntilTurnEnd(): void
  pause(): void
  resume(): void
  /** Closes the writing side after everything is sent; reading continues. */
  end(): void
  /** Closes both sides once everything is sent. */
  destroySoon(): void
  destroy(): void
}
