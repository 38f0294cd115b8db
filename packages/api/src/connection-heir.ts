import type { Socket } from 'node:net'

/**
 * What a module does with connections that processes pass on to those that follow them.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ConnectionHeir {
  /**
   * Other processes serve in the place of this one, which completes what it has begun. From now on connections that it
   * does not need any more can be passed on.
   */
  onLeave(): void
  /**
   * A former process has passed on a connection, which is the module's now. The socket is in the clear. What the peer has
   * sent since it was passed on is read in the next turn of the event loop.
   * @param label what the former process has said about it: check that it is true
   */
  onConnection(socket: Socket, label: string): void
}

/**
 * Passes a connection in the clear on to one of the processes that follow. It must have nothing left to send, and nothing that
 * was read but not used. The socket is closed in this process; the connection is closed if no process takes it.
 * @param label what the next process has to know about it, in few words
 * @since 2.4.6
 */
export type PassConnection = (socket: Socket, label: string) => void
