import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { readAddress, readAnyAddress } from '../base/address-text.ts'
import { zoneName } from '../base/interface-zone.ts'
import type { VirtualHostAddress } from './server-record.ts'

/**
 * The result of one word of a `<VirtualHost>` line: addresses, none with a message for the log, or the text
 * of an error.
 */
export type VirtualHostWord =
  | { readonly addresses: readonly VirtualHostAddress[] }
  | { readonly ignored: { readonly code: string; readonly text: string } }
  | { readonly error: string }

const INVALID: VirtualHostWord = { error: 'The address or port is invalid' }

/**
 * Parses one word of a `<VirtualHost>` line: `*`, `_default_`, an address, a bracketed IPv6 address or a
 * name, each with an optional port or `:*`.
 *
 * @param mainPort port of the main ServerName, the default for everything except `*`; 0 if the main server
 * does not have one
 */
export function parseVirtualHostAddress(word: string, mainPort: number): VirtualHostWord {
  const anyPort = word === '*' || word.endsWith(':*')
  const parts = splitPort(word.length > 1 && anyPort ? word.slice(0, -2) : word)
  if (parts === undefined) return INVALID
  const { host, zone } = parts
  if (host === '') return { error: 'Missing address for VirtualHost' }
  const port = parts.port || (anyPort ? 0 : mainPort)
  if (host === '*' || host.toLowerCase() === '_default_') return { addresses: [{ address: '*', port, name: host }] }
  const found = zone === undefined ? addressesOf(host) : zoned(host, zone)
  if (found !== undefined && found.length > 0) return { addresses: found.map((address) => ({ address, port, name: host })) }
  const [code, text] =
    zone === undefined
      ? ['AH00547', `Could not resolve host name ${host} -- ignoring!`]
      : ['AH10103', `Could not set scope ID ${zone} for ${shown(host, port)} -- ignoring!`]
  return { ignored: { code, text } }
}

/**
 * Splits a word into host, zone and port from its end, like APR: digits alone are a port, and a non-number
 * after the last colon belongs to the host.
 *
 * @returns undefined for a port outside 1 to 65535, and for brackets without an IPv6 address
 */
function splitPort(word: string): { host: string; zone?: string; port: number } | undefined {
  const digits = /[0-9]*$/.exec(word)?.[0] ?? ''
  const before = word.slice(0, word.length - digits.length)
  const hasPort = before === '' || (before.endsWith(':') && digits !== '')
  const port = hasPort ? Number(digits) : 0
  if (hasPort && (port < 1 || port > 65535)) return undefined
  const host = hasPort ? before.slice(0, -1) : word
  if (before === ':' && hasPort) return undefined
  if (!host.startsWith('[')) return { host, port }
  const [, address, zone] = /^\[([^\]%]*)(?:%([^\]]+))?\]$/.exec(host) ?? []
  if (address === undefined || !isIPv6(address)) return undefined
  return zone === undefined ? { host: address, port } : { host: address, zone, port }
}

/** The addresses of a host as written, empty if the name does not resolve. */
function addressesOf(host: string): readonly string[] {
  const address = readAnyAddress(host)
  return address === undefined ? lookUpInHosts(host) : [address]
}

/** Only link-local addresses (fe80::/10) have zones. */
function zoned(host: string, zone: string): readonly string[] {
  const name = /^fe[89ab]/i.test(host) ? zoneName(zone) : undefined
  const address = name === undefined ? undefined : readAddress(host)
  if (address === undefined) return []
  return [name === '' ? address : `${address}%${name}`]
}

function shown(host: string, port: number): string {
  return port === 0 ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Resolves names in `<VirtualHost>` while the configuration is read. Because that must be synchronous, only
 * the hosts file is consulted, as a resolver would do first; names that only a name server knows do not
 * resolve.
 */
function lookUpInHosts(name: string): string[] {
  let text: string
  try {
    text = readFileSync('/etc/hosts', 'latin1')
  } catch {
    return []
  }
  const lower = name.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [written, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const address = readAddress(written)
    return address !== undefined && names.some((one) => one.toLowerCase() === lower) ? [address] : []
  })
}
