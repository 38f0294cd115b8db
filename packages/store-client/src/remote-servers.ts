import { createHash } from 'node:crypto'
import { type ModuleLog, requireAmount, requireMessage, type SharedStore } from '@gatewright/api'
import { Breaker, type BreakerFigures } from './breaker.ts'
import type { ServerFigures } from './server-figures.ts'

/** A server that keeps bytes by key. Every function rejects if the server cannot be asked. */
export interface KeyValueServer {
  /** As messages name it. */
  readonly title: string
  /** @param key letters and digits */
  get(key: string): Promise<Uint8Array | undefined>
  /** @param lifetime milliseconds */
  set(key: string, bytes: Uint8Array, lifetime: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Adds to a counter, which begins at 0 and then has a lifetime.
   * @returns undefined if the key has bytes that are not a number
   */
  increment(key: string, amount: number, lifetime: number): Promise<number | undefined>
  /** Keeps bytes if the key has the expected ones; undefined for none. @returns whether they were kept */
  compareAndSet(key: string, expected: Uint8Array | undefined, bytes: Uint8Array, lifetime: number): Promise<boolean>
  /** How its clients send each other messages; null if it cannot pass them. */
  readonly messages: ServerMessages | null
  close(): void
}

/** Messages that a server passes to those of its clients who have subscribed. */
export interface ServerMessages {
  /** @param channel letters and digits */
  publish(channel: string, bytes: Uint8Array): Promise<void>
  /** @returns the function that ends it */
  subscribe(channel: string, listener: (bytes: Uint8Array) => void): () => void
}

/** Reports that a server does not answer, and that it does again: one line each. */
export class StoreTroubles {
  readonly #log: ModuleLog
  readonly #figures: ServerFigures | null

  /** @param figures counts for all processes; null counts for this one only */
  constructor(log: ModuleLog, figures: ServerFigures | null = null) {
    this.#log = log
    this.#figures = figures
  }

  breakerFor({ title }: KeyValueServer): Breaker {
    return new Breaker(
      (error) => {
        const text = `${title} does not answer: ${error.message}; requests are served without it`
        this.#log.write(null, 'error', '', Buffer.from(text, 'utf8').toString('latin1'))
        this.#figures?.count(title, 'leftAlone', 1)
      },
      () => {
        this.#log.write(null, 'notice', '', `${title} answers again`)
        this.#figures?.count(title, 'leftAlone', -1)
      },
      undefined,
      (what) => this.#figures?.count(title, what, 1),
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
   * @param local the store of this machine, which passes messages where the servers cannot
   */
  store(name: string, local: SharedStore): SharedStore {
    return {
      reach: 'machines',
      get: (key) => this.#on(keyOf(name, key), (server, hashed) => server.get(hashed)),
      set: (key, bytes, lifetime) => {
        this.#on(keyOf(name, key), (server, hashed) => server.set(hashed, bytes, lifetime))
      },
      delete: (key) => {
        this.#on(keyOf(name, key), (server, hashed) => server.delete(hashed))
      },
      increment: async (key, amount, lifetime) => {
        requireAmount(amount)
        return this.#on(keyOf(name, key), (server, hashed) => server.increment(hashed, amount, lifetime))
      },
      compareAndSet: (key, expected, bytes, lifetime) =>
        this.#on(keyOf(name, key), (server, hashed) => server.compareAndSet(hashed, expected, bytes, lifetime)),
      publish: (topic, bytes) => {
        requireMessage(bytes)
        this.#publish(keyOf(name, topic), bytes).then((isSent) => {
          if (!isSent) local.publish(topic, bytes)
        })
      },
      subscribe: (topic, listener) => {
        const channel = keyOf(name, topic)
        const ends = this.#guarded.map(({ server }) => server.messages?.subscribe(channel, listener))
        const endLocal = local.subscribe(topic, listener)
        return () => {
          endLocal()
          for (const end of ends) end?.()
        }
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

  async #publish(channel: string, bytes: Uint8Array): Promise<boolean> {
    const sent = await this.#on(channel, async ({ messages }) => {
      await messages?.publish(channel, bytes)
      return messages !== null
    })
    return sent === true
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
