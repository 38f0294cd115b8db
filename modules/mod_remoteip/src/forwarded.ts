import { type Address, parseAddress } from '@gatewright/ipset'
import type { ProxyList } from './proxy-list.ts'

/** What a header field of proxies is believed to say. */
export interface Forwarded {
  readonly client: string
  /** The part of the field that nobody vouches for; '' for none. */
  readonly left: string
  /** The trusted proxies that were passed, the nearest first. Internal ones are not told. */
  readonly proxies: readonly string[]
}

/** Why reading stopped before the end; null when it came to a peer that is no proxy, or to the end. */
export type Doubt = { readonly kind: 'malformed' | 'private'; readonly value: string }

export interface Reading {
  /** null when nothing is believed. */
  readonly forwarded: Forwarded | null
  readonly doubt: Doubt | null
}

/** Reads the field from its end, where the nearest proxy has written: each address is believed as long as the one that told it is a proxy. */
export function readForwarded(field: string, peer: string, list: ProxyList): Reading {
  let left = field
  let client = peer
  let address = parseAddress(peer)
  let internal = false
  let believed = false
  const proxies: string[] = []
  const result = (doubt: Doubt | null): Reading => ({ forwarded: believed ? { client, left, proxies } : null, doubt })
  while (left !== '') {
    const trust = address === undefined ? null : list.trustIn(address)
    if (trust === null) return result(null)
    internal = trust === 'internal'
    const comma = left.lastIndexOf(',')
    const value = left.slice(comma + 1).replace(/^ +| +$/g, '')
    if (value === '') return result(null)
    const next = parseAddress(value)
    if (next === undefined || value.includes('%')) return result({ kind: 'malformed', value })
    if (!internal && isPrivate(next)) return result({ kind: 'private', value })
    if (!internal) proxies.push(client)
    client = textOf(value)
    address = next
    believed = true
    left = comma < 0 ? '' : left.slice(0, comma)
  }
  return result(null)
}

/** Addresses that mean nothing outside their own network: a proxy of the Internet cannot have seen them. */
function isPrivate({ family, w0 }: Address): boolean {
  if (family === 6) return w0 >>> 29 !== 1
  const first = w0 >>> 24
  const two = w0 >>> 16
  return first === 10 || first === 127 || two === 0xa9fe || two === 0xc0a8 || two >>> 4 === 0xac1
}

/** As httpd prints it: IPv6 in its shortest form, an IPv4-mapped one as IPv4. */
function textOf(value: string): string {
  if (!value.includes(':')) return value
  const short = new URL(`http://[${value}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short)
  if (mapped === null) return short
  const bits = Number.parseInt(mapped[1], 16) * 0x10000 + Number.parseInt(mapped[2], 16)
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
}
