import type { Socket } from 'node:net'
import type { ConnectionHeir, PassConnection } from '@gatewright/api'
import type { FromWorker } from '../roles/messages.ts'
import { isNativeHandle, type NativeHandle, socketOf, unreadHandleOf } from '../roles/native-handle.ts'

/** Most connections that one process passes on: each is a message of its own for the supervisor. */
const MOST_PASSED = 1_000

/** Sends a connection to the supervisor. @param done called when the system has it, or does not take it */
export type SendConnection = (message: Extract<FromWorker, { type: 'pass' }>, handle: NativeHandle, done: () => void) => void

/** Connections that modules pass on to the workers that follow, and those that they have from former ones. */
export class PassedConnections {
  readonly #send: SendConnection
  readonly #heirs = new Map<string, ConnectionHeir>()
  #isLeaving = false
  #count = 0

  constructor(send: SendConnection) {
    this.#send = send
  }

  add(name: string, heir: ConnectionHeir): PassConnection {
    this.#heirs.set(name, heir)
    return (socket, label) => this.#pass(name, socket, label)
  }

  /** Other workers serve in the place of this one. */
  leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    for (const heir of this.#heirs.values()) heir.onLeave()
  }

  receive(name: string, label: string, handle: unknown): void {
    if (!isNativeHandle(handle)) return
    const heir = this.#heirs.get(name)
    const socket = heir === undefined || this.#isLeaving ? null : socketOf(handle)
    if (socket === null) handle.close()
    else heir?.onConnection(socket, label)
  }

  #pass(name: string, socket: Socket, label: string): void {
    const handle = this.#isLeaving && this.#count < MOST_PASSED ? unreadHandleOf(socket) : null
    if (handle === null) {
      socket.destroy()
      return
    }
    this.#count++
    this.#send({ type: 'pass', name, label }, handle, () => socket.destroy())
  }
}
