import type { EngineConnection } from './engine-connection.ts'

/** All open connections in a dense array, which is cheap to iterate. A connection stores its own index. */
export class ConnectionRegistry {
  readonly #connections: EngineConnection[]

  constructor() {
    this.#connections = []
  }

  get length(): number {
    return this.#connections.length
  }

  at(index: number): EngineConnection {
    return this.#connections[index]
  }

  add(connection: EngineConnection): void {
    connection.slot = this.#connections.length
    this.#connections.push(connection)
  }

  /** Puts another connection at the index of an open one. */
  replace(former: EngineConnection, next: EngineConnection): void {
    if (former.slot < 0) return
    this.#connections[former.slot] = next
    next.slot = former.slot
    former.slot = -1
  }

  /** The last connection moves to the index of the removed one. */
  remove(connection: EngineConnection): void {
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
