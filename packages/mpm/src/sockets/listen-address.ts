import type { Listener } from '@gatewright/core'

/** An address to bind, as sockets take it. */
export interface ListenAddress {
  /** IPv6 without brackets; `*` is every address of both families. */
  readonly address: string
  readonly port: number
}

/** `127.0.0.1:80`, `[::1]:80` */
export function addressText({ address, port }: ListenAddress): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/**
 * The addresses to try for an address, first success wins: `*` is the any address of IPv6, whose sockets
 * accept IPv4 connections as well, and that of IPv4 if the machine does not have IPv6.
 */
export function attempts(listen: ListenAddress): readonly ListenAddress[] {
  if (listen.address !== '*') return [listen]
  return [
    { address: '::', port: listen.port },
    { address: '0.0.0.0', port: listen.port },
  ]
}

/**
 * The addresses of Listen lines, without those that a line for every address covers: httpd treats `Listen 80`
 * and `Listen 0.0.0.0:80` as one.
 */
export function listenAddresses(listeners: readonly Listener[]): ListenAddress[] {
  const chosen: ListenAddress[] = []
  for (const { address, port } of listeners) {
    const covered =
      isAny(address) &&
      chosen.some((other) => other.port === port && (other.address === address || coversBothFamilies(other.address)))
    if (!covered) chosen.push({ address, port })
  }
  return chosen
}

/**
 * The first address that conflicts with another one: one of them is for every address of its family, as in
 * `Listen 80`, `Listen 127.0.0.1:80`.
 */
export function clash(addresses: readonly ListenAddress[]): ListenAddress | undefined {
  return addresses.find(({ address, port }, index) =>
    addresses
      .slice(0, index)
      .some((other) => other.port === port && (covers(other.address, address) || covers(address, other.address))),
  )
}

function isAny(address: string): boolean {
  return address === '*' || address === '::' || address === '0.0.0.0'
}

function coversBothFamilies(address: string): boolean {
  return address === '*' || address === '::'
}

function covers(any: string, address: string): boolean {
  return coversBothFamilies(any) || (any === '0.0.0.0' && !address.includes(':'))
}
