import type { MaybePromise } from '@gatewright/api'
import { type Address, parseAddress } from '@gatewright/ipset'
import type { ProxyList } from './proxy-list.ts'

/** The trusted contents of a header field of proxies. */
export interface Forwarded {
  readonly client: string
  /** The part of the field that no trusted proxy reported; '' if there is none. */
  readonly left: string
  /** The trusted proxies on the way, the nearest first, without internal ones. */
  readonly proxies: readonly string[]
}

/** Why reading stopped early; null if it reached a peer that is not a proxy, or the end of the field. */
export type EarlyStop = { readonly kind: 'malformed' | 'private'; readonly value: string }

export interface Reading {
  /** null if nothing is trusted. */
  readonly forwarded: Forwarded | null
  readonly stop: EarlyStop | null
}

/** Converts a value of the field to an address; null if it is not one. Asynchronous only for names. */
export type ReadAddress = (text: string) => MaybePromise<string | null>

/**
 * Reads the field from its end, which the nearest proxy wrote. Each address is trusted if the address that
 * reported it is a proxy. Asynchronous only if a name has to be looked up; rejects if `readAddress` does.
 */
export function readForwarded(field: string, peer: string, list: ProxyList, readAddress: ReadAddress): MaybePromise<Reading> {
  return new FieldReader(field, peer, list, readAddress).run()
}

class FieldReader {
  #left: string
  #client: string
  #address: Address | undefined
  #hasTrusted = false
  readonly #proxies: string[] = []
  readonly #list: ProxyList
  readonly #readAddress: ReadAddress

  constructor(field: string, peer: string, list: ProxyList, readAddress: ReadAddress) {
    this.#left = field
    this.#client = peer
    this.#address = parseAddress(peer)
    this.#list = list
    this.#readAddress = readAddress
  }

  run(): MaybePromise<Reading> {
    while (this.#left !== '') {
      const trust = this.#address === undefined ? null : this.#list.trustIn(this.#address)
      if (trust === null) break
      const comma = this.#left.lastIndexOf(',')
      const value = this.#left.slice(comma + 1).replace(/^ +| +$/g, '')
      if (value === '') break
      const internal = trust === 'internal'
      const next = this.#readAddress(value)
      if (next instanceof Promise) {
        return next.then((read) => this.#take(value, comma, read, internal) ?? this.run())
      }
      const end = this.#take(value, comma, next, internal)
      if (end !== null) return end
    }
    return this.#result(null)
  }

  /** Accepts one address; returns the result if reading ends with it, else null. */
  #take(value: string, comma: number, read: string | null, internal: boolean): Reading | null {
    const next = read === null ? undefined : parseAddress(read)
    if (read === null || next === undefined) return this.#result({ kind: 'malformed', value })
    if (!internal && isPrivate(next)) return this.#result({ kind: 'private', value })
    if (!internal) this.#proxies.push(this.#client)
    this.#client = read
    this.#address = next
    this.#hasTrusted = true
    this.#left = comma < 0 ? '' : this.#left.slice(0, comma)
    return null
  }

  #result(stop: EarlyStop | null): Reading {
    const client = this.#client
    const left = this.#left
    const proxies = this.#proxies
    return { forwarded: this.#hasTrusted ? { client, left, proxies } : null, stop }
  }
}

/**
 * Addresses that are valid only in their own network, so a proxy on the Internet cannot have received
 * requests from them.
 */
function isPrivate({ family, w0 }: Address): boolean {
  if (family === 6) return w0 >>> 29 !== 1
  const first = w0 >>> 24
  const two = w0 >>> 16
  return first === 10 || first === 127 || two === 0xa9fe || two === 0xc0a8 || two >>> 4 === 0xac1
}
