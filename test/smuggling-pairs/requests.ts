import { setTimeout as pause } from 'node:timers/promises'
import { LAST, type Shape } from '../smuggling/shape.ts'
import type { ProxyServer } from './proxy-server.ts'
import { exchange, responsesIn } from './raw-client.ts'

/** What became of an ambiguous request. */
export type Fate =
  /** The back served every request that the front forwarded, and no other. */
  | 'agreed'
  /** The front rejected it. */
  | 'rejected'
  /** The back served a request that the front did not see. */
  | 'smuggled'
  /** Another client got an answer to a request that was not its own, or none. */
  | 'mixed'

/** Ms until the last line is in a log. */
const LOGGED = 60
const VICTIMS = 2
/** A part of the target of the request that shapes hide. */
const HIDDEN = '/smuggled'

/** Sends a shape to the front, and then requests of other clients. */
export async function fateOfRequest(front: ProxyServer, back: ProxyServer, { bytes }: Shape, number: number): Promise<Fate> {
  front.newRequests()
  back.newRequests()
  await exchange(front.port, bytes + LAST)
  const mixed = await isMixed(front, `${number}`)
  await pause(LOGGED)
  if (mixed) return 'mixed'
  const forwarded = front.newRequests().filter((request) => !request.includes('/victim-'))
  const served = back.newRequests().filter((request) => !request.includes('/victim-'))
  if (isSmuggled(served, forwarded)) return 'smuggled'
  return served.length === 0 || !served.some((request) => !request.endsWith('/last')) ? 'rejected' : 'agreed'
}

/** Whether other clients of the front get answers to their own requests. */
export async function isMixed(front: ProxyServer, tag: string): Promise<boolean> {
  for (let count = 0; count < VICTIMS; count++) {
    const path = `/victim-${tag}-${count}`
    const text = await exchange(front.port, `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`)
    const answers = responsesIn(text, ['GET'])
    if (answers.length !== 1 || answers[0].fields.get('x-saw') !== `GET ${path}`) return true
  }
  return false
}

/** A front may write a target in another way, so requests are counted; what an attacker hides has a target of its own. */
function isSmuggled(served: readonly string[], forwarded: readonly string[]): boolean {
  return count(served, HIDDEN) > count(forwarded, HIDDEN) || served.length > forwarded.length
}

function count(requests: readonly string[], part: string): number {
  return requests.filter((request) => request.includes(part)).length
}
