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
  /** The first `count` bytes have come. They may be used during the call, and are others after that. */
  onBytes(bytes: Buffer, count: number): void
  /** The peer sends no more. */
  onEnd(): void
  /** After a write answered false: nothing waits any more. */
  onDrain(): void
  /** Nothing follows this call. */
  onClose(): void
}

/**
 * A stream of bytes to a client, in both directions. It is all that the engine knows of a socket, so that
 * other kinds can take its place. A string is latin1.
 */
export interface Transport {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
  /** Bytes of writes that are not complete yet. */
  readonly writableLength: number
  /** Like `writableLength`, but decreases while a single large write makes progress. */
  readonly unsentBytes: number
  attach(sink: TransportSink): void
  /** Answers false when the caller had better wait for onDrain. */
  write(data: Buffer | string, done: WriteCallback | null): boolean
  /** Collects writes until uncork; calls nest. */
  cork(): void
  uncork(): void
  pause(): void
  resume(): void
  /** Closes the writing side after everything is sent; reading continues. */
  end(): void
  /** Closes both sides once everything is sent. */
  destroySoon(): void
  destroy(): void
}
