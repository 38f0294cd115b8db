import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HostServices, ModuleLog, PassConnection } from '@gatewright/api'
import type { UpstreamConnection } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import { type PassedOn, passedOn, passedOnText } from './passed-on.ts'
import type { IdleRules, UpstreamTarget } from './pool-options.ts'

/** What passes connections on. */
export type InheritingServices = Pick<HostServices, 'inheritConnections' | 'addressesOf'>

/** How long a connection of a former process waits for a first request where the rules set no time (ms). */
const LONGEST_WAIT = 60_000

/**
 * Connections in the clear that outlive a process: idle ones go to the processes that follow it, and those of former
 * processes are used for the same backends. A connection by TLS cannot be passed on, because its keys are in the process.
 */
export class InheritedConnections {
  readonly #idle: IdleRules
  readonly #log: ModuleLog
  readonly #addressesOf: HostServices['addressesOf']
  readonly #pass: PassConnection
  #isLeaving = false
  /** Pools of workers, by backend. */
  readonly #pools = new Map<string, ConnectionPool[]>()
  /** Connections to backends that no request has needed yet. */
  readonly #waiting = new Map<string, ConnectionPool>()

  /** @param name the source name of the module that has the pools */
  constructor(services: InheritingServices, name: string, idle: IdleRules, log: ModuleLog) {
    this.#idle = idle
    this.#log = log
    this.#addressesOf = services.addressesOf
    this.#pass = services.inheritConnections(name, {
      onLeave: () => this.#leave(),
      onConnection: (socket, label) => this.#receive(socket, label),
    })
  }

  /** Takes part in what a new pool does, whose connections are in the clear. */
  join(target: UpstreamTarget, pool: ConnectionPool): void {
    if (this.#isLeaving) this.#empty(target, pool)
    const key = JSON.stringify(target)
    this.#pools.set(key, [...(this.#pools.get(key) ?? []), pool])
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return
    this.#waiting.delete(key)
    pool.takeFrom(waiting)
  }

  close(): void {
    for (const pool of this.#waiting.values()) pool.close()
    this.#waiting.clear()
    this.#pools.clear()
  }

  #leave(): void {
    this.#isLeaving = true
    for (const pools of this.#pools.values()) for (const pool of pools) this.#empty(pool.target, pool)
    for (const pool of this.#waiting.values()) this.#empty(pool.target, pool)
  }

  #empty(target: UpstreamTarget, pool: ConnectionPool): void {
    pool.giveAway((connection, idle) => {
      const socket = connection.detach()
      if (socket !== null) this.#pass(socket, passedOnText({ target, idle }))
    })
  }

  #receive(socket: Socket, label: string): void {
    const passed = passedOn(label)
    const connection = passed === null ? null : this.#poolFor(passed.target).adopt(socket)
    if (passed === null || connection === null) socket.destroy()
    else void this.#settle(connection, passed)
  }

  #poolFor(target: UpstreamTarget): ConnectionPool {
    const key = JSON.stringify(target)
    const pool = this.#pools.get(key)?.[0] ?? this.#waiting.get(key)
    if (pool !== undefined) return pool
    const made = new ConnectionPool({
      target,
      tls: null,
      max: 0,
      min: 0,
      smax: 0,
      ttl: this.#idle.ttl === 0 ? LONGEST_WAIT : this.#idle.ttl,
      acquireTimeout: -1,
      queue: -1,
      connectTimeout: 0,
      keepAlive: false,
      reuse: true,
    })
    this.#waiting.set(key, made)
    return made
  }

  /** Bytes and an end that have arrived in the meantime are read between the two turns, and close the connection. */
  async #settle(connection: UpstreamConnection, { target, idle }: PassedOn): Promise<void> {
    const isRight = await this.#leadsTo(connection, target)
    await nextTurn()
    await nextTurn()
    if (connection.closed) return
    if (!isRight) return connection.destroy()
    connection.release()
    connection.idleSince -= idle
    this.#log.write(null, 'debug', '', `a former process passed on its connection to ${placeOf(target)}`)
  }

  /** The name of a backend may stand for another address now. */
  async #leadsTo({ remoteAddress, remotePort }: UpstreamConnection, target: UpstreamTarget): Promise<boolean> {
    if ('path' in target) return remoteAddress === ''
    if (remotePort !== target.port) return false
    if (isIP(target.host) !== 0) return remoteAddress === target.host
    return (await this.#addressesOf(target.host)).includes(remoteAddress)
  }
}

function placeOf(target: UpstreamTarget): string {
  return 'path' in target ? target.path : `${target.host}:${target.port}`
}
