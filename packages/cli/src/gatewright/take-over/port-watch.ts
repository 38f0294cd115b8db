import { setTimeout as pause } from 'node:timers/promises'
import { acceptsConnections, type ConnectionTarget } from '../../accepts-connections.ts'

/** Milliseconds. */
const STEP = 5
/** A server that finishes long requests, or that starts on a busy machine, needs time (ms). */
const PATIENCE = 120_000

/** The first listener in the output of `httpd -t -D DUMP_LISTEN`; null if there is none. */
export function firstListener(output: string): ConnectionTarget | null {
  for (const line of output.split('\n')) {
    const [, host, port] = /^https?:\/\/(\[[\da-f:.%\w]+\]|[^:/\s]+):(\d+)\/?$/i.exec(line.trim()) ?? []
    if (host !== undefined && port !== undefined) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  }
  return null
}

/** Waits until no connection is accepted. @returns the time (performance.now) of the first refusal; null after two minutes */
export async function whenClosed(listener: ConnectionTarget): Promise<number | null> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await pause(STEP)) {
    const asked = performance.now()
    if (!(await acceptsConnections(listener))) return asked
  }
  return null
}

/** Waits until a connection is accepted. @returns the time (performance.now); null after two minutes */
export async function whenOpen(listener: ConnectionTarget): Promise<number | null> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await pause(STEP))
    if (await acceptsConnections(listener)) return performance.now()
  return null
}
