import type { HttpConnection } from './http1/connection.ts'

/** All open connections in a dense array, which is cheap to iterate. A connection stores its own index. */
export class ConnectionRegistry {
  readonly #connections: HttpConnection[]

  constructor() {
    this.#connections = []
  }

  get length(): number {
    return this.#connections.length
  }

  at(index: number): HttpConnection {
    return this.#connections[index]
  }

  add(connection: HttpConnection): void {
    connection.slot = this.#connections.length
    this.#connections.push(connection)
  }

  /** The last connection moves to the index of the removed one. */
  remove(connection: HttpConnection): void {
    const slot = connection.slot
    if (slot < 0) return
    const last = this.#connections.pop()
    if (last !== undefined && last !== connection) {
      this.#connections[slot] = last
      last.slot = slot
    }
    connection.slot = -1
  }
}
