import { createHash } from 'node:crypto'
import type { ModuleLog, SharedStore } from '@gatewright/api'
import { Breaker, type BreakerFigures } from './breaker.ts'

/** A server that keeps bytes by key. Every function rejects if the server cannot be asked. */
export interface KeyValueServer {
  /** As messages name it. */
  readonly title: string
  /** @param key letters and digits */
  get(key: string): Promise<Uint8Array | undefined>
  /** @param lifetime milliseconds */
  set(key: string, bytes: Uint8Array, lifetime: number): Promise<void>
  delete(key: string): Promise<void>
  close(): void
}

/** Reports that a server does not answer, and that it does again: one line each. */
export class StoreTroubles {
  readonly #log: ModuleLog

  constructor(log: ModuleLog) {
    this.#log = log
  }

  breakerFor({ title }: KeyValueServer): Breaker {
    return new Breaker(
      (error) => {
        const text = `${title} does not answer: ${error.message}; requests are served without it`
        this.#log.write(null, 'error', '', Buffer.from(text, 'utf8').toString('latin1'))
      },
      () => this.#log.write(null, 'notice', '', `${title} answers again`),
    )
  }
}

interface Guarded {
  readonly server: KeyValueServer
  readonly breaker: Breaker
}

/** Servers among which keys are distributed. While one does not answer, the next one has its keys. */
export class RemoteServers {
  readonly #guarded: readonly Guarded[]

  /** @param servers in the order in which all machines that share them name them */
  constructor(servers: readonly KeyValueServer[], troubles: StoreTroubles) {
    this.#guarded = servers.map((server) => ({ server, breaker: troubles.breakerFor(server) }))
  }

  /**
   * A store with keys of its own. It never fails: what a server cannot be asked for is not found, and what it cannot keep is
   * lost.
   * @param name the same on all machines that share it
   */
  store(name: string): SharedStore {
    return {
      get: (key) => this.#on(keyOf(name, key), (server, hashed) => server.get(hashed)),
      set: (key, bytes, lifetime) => {
        this.#on(keyOf(name, key), (server, hashed) => server.set(hashed, bytes, lifetime))
      },
      delete: (key) => {
        this.#on(keyOf(name, key), (server, hashed) => server.delete(hashed))
      },
      figures: async () => undefined,
    }
  }

  /** Title and figures of each server. */
  figures(): readonly (readonly [title: string, figures: BreakerFigures])[] {
    return this.#guarded.map(({ server, breaker }) => [server.title, breaker.figures()])
  }

  close(): void {
    for (const { server } of this.#guarded) server.close()
  }

  async #on<T>(key: string, act: (server: KeyValueServer, key: string) => Promise<T>): Promise<T | undefined> {
    const chosen = this.#serverFor(key)
    return chosen?.breaker.run(() => act(chosen.server, key))
  }

  #serverFor(key: string): Guarded | undefined {
    const first = Number.parseInt(key.slice(0, 8), 16)
    const { length } = this.#guarded
    for (let step = 0; step < length; step++) {
      const guarded = this.#guarded[(first + step) % length]
      if (guarded?.breaker.isReady === true) return guarded
    }
    return this.#guarded[first % length]
  }
}

/** Keys are hashed: they may be long, contain blanks, or name users. */
function keyOf(name: string, key: string): string {
  return createHash('sha256').update(`${name}\0${key}`, 'utf8').digest('hex')
}
