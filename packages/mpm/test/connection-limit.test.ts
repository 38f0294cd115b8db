import { Socket } from 'node:net'
import type { Displaced } from '@gatewright/core'
import t from 'tap'
import { acceptWithin, connectionLimit, type LimitedConnections } from '../src/worker/connection-limit.ts'
import { ConnectionLimitLog } from '../src/worker/connection-limit-log.ts'
import type { Accept } from '../src/worker/listening.ts'

t.test('there are descriptors for each connection and its file, and some for the rest', async (t) => {
  t.equal(connectionLimit(1024, 40), (1024 - 40 - 64) / 2)
  t.equal(connectionLimit(65_536, 40), (65_536 - 40 - 64) / 2)
  t.equal(connectionLimit(160, 40), (160 - 40 - 20) / 2)
  t.equal(connectionLimit(Number.POSITIVE_INFINITY, 40), Number.POSITIVE_INFINITY)
  t.equal(connectionLimit(undefined, 40), Number.POSITIVE_INFINITY)
  t.equal(connectionLimit(32, 40), 1, 'a server that can hardly live serves one after the other')
})

/** A worker that counts accepted connections; `displaces` is whether a connection can be displaced. */
class Worker implements LimitedConnections {
  connections = 0
  displaces = false
  readonly lines: string[] = []
  readonly accept: Accept

  constructor(limit: number) {
    const log = new ConnectionLimitLog(
      (level, text) => this.lines.push(`${level}: ${text}`),
      () => 1,
    )
    this.accept = acceptWithin(limit, this, () => this.connections++, log)
  }

  displaceFor(): Displaced | null {
    if (!this.displaces) return null
    this.connections--
    return { from: { group: '192.0.2.1', count: 9 }, by: { group: '192.0.2.2', count: 0 } }
  }

  /** Whether each of `count` new connections was accepted. */
  arrive(count: number): boolean[] {
    return Array.from({ length: count }, () => {
      const socket = new Socket()
      this.accept(socket, null)
      return !socket.destroyed
    })
  }
}

t.test('connections beyond the limit are closed, with one line until the worker has been below its limit', async (t) => {
  const worker = new Worker(10)
  t.strictSame(worker.arrive(12), [...Array(10).fill(true), false, false])
  t.match(worker.lines, [/^error: 10 connections are open.* raise the limit/])
  worker.connections = 9
  t.strictSame(worker.arrive(2), [true, false])
  t.equal(worker.lines.length, 1, 'the worker was not below its limit')
  worker.connections = 5
  worker.arrive(7)
  t.equal(worker.lines.length, 2)
})

t.test('a connection beyond the limit is accepted if it displaces another', async (t) => {
  const worker = new Worker(10)
  worker.displaces = true
  t.strictSame(worker.arrive(12), Array(12).fill(true))
  t.equal(worker.connections, 10)
  t.match(worker.lines, [/^warn: .*one of the 9 connections of 192\.0\.2\.1/])
})
