import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Where connections are tried. */
export interface Door {
  readonly host: string
  readonly port: number
}

/** Milliseconds. */
const STEP = 5
/** A server that finishes long requests, or that starts on a busy machine, needs time (ms). */
const PATIENCE = 120_000

/** The address of a listener as `httpd -t -D DUMP_LISTEN` prints it; null for other lines. */
export function doorOf(line: string): Door | null {
  const [, host, port] = /^https?:\/\/(\[[\da-f:.%\w]+\]|[^:/\s]+):(\d+)\/?$/i.exec(line.trim()) ?? []
  return host === undefined || port === undefined ? null : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Waits until no connection is accepted. @returns the time (performance.now) of the first refusal; null after two minutes */
export function whenClosed(door: Door): Promise<number | null> {
  return when(door, 'refused')
}

/** Waits until a connection is accepted. @returns the time (performance.now); null after two minutes */
export function whenOpen(door: Door): Promise<number | null> {
  return when(door, 'accepted')
}

async function when(door: Door, wanted: 'accepted' | 'refused'): Promise<number | null> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await pause(STEP)) {
    const asked = performance.now()
    if ((await attempt(door)) === wanted) return wanted === 'refused' ? asked : performance.now()
  }
  return null
}

function attempt({ host, port }: Door): Promise<'accepted' | 'refused'> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port })
    socket.on('connect', () => {
      socket.destroy()
      resolve('accepted')
    })
    socket.on('error', () => resolve('refused'))
  })
}
