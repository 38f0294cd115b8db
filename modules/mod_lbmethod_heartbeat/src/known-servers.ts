import { readFileSync } from 'node:fs'
import { type HeartbeatServer, heartbeatFields } from '@gatewright/api/peers'

/** What the method knows of a server. */
export interface KnownServer {
  /** Its free places; those of a server without any request count a quarter, so that it is not flooded. */
  readonly places: number
  /** Seconds since its last message. */
  readonly age: number
}

/** The servers that mod_heartmonitor knows, by address. */
export function knownServers(servers: readonly HeartbeatServer[]): ReadonlyMap<string, KnownServer> {
  return new Map(servers.map(({ address, ready, busy, age }) => [address, { places: placesOf(ready, busy), age }]))
}

function placesOf(ready: number, busy: number): number {
  return busy === 0 ? Math.trunc(ready / 4) : ready
}

/**
 * The servers in the file of HeartbeatStorage, by address: a line each, `10.0.0.1 &ready=75&busy=0&lastseen=1&port=80`. A line
 * that begins with `#` or has no blank is ignored. Of several lines about one address, each replaces what it names.
 * @throws the error of the system if the file cannot be read
 */
export function serversInFile(path: string): ReadonlyMap<string, KnownServer> {
  const heard = new Map<string, { ready: number; busy: number; age: number }>()
  for (const line of readFileSync(Buffer.from(path, 'latin1'), 'latin1').split('\n')) {
    const blank = line.indexOf(' ')
    if (blank < 0 || line.startsWith('#')) continue
    const address = line.slice(0, blank)
    const server = heard.get(address) ?? { ready: 0, busy: 0, age: 0 }
    const fields = heartbeatFields(line.slice(blank + 1))
    server.ready = numberOf(fields.get('ready')) ?? server.ready
    server.busy = numberOf(fields.get('busy')) ?? server.busy
    server.age = numberOf(fields.get('lastseen')) ?? server.age
    heard.set(address, server)
  }
  return new Map(Array.from(heard, ([address, { ready, busy, age }]) => [address, { places: placesOf(ready, busy), age }]))
}

const LARGEST = 2_147_483_647

/** A number that is too large, negative or none is 0. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const digits = /^\s*\+?(\d+)$/.exec(text)
  const number = digits === null ? 0 : Number(digits[1])
  return number > LARGEST ? 0 : number
}
