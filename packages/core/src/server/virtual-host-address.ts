import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { VirtualHostAddress } from './server-record.ts'

/**
 * One word of a `<VirtualHost>` line: `*`, `_default_`, an address, a bracketed IPv6 address or a name, each with an optional port or `:*`.
 * @param mainPort port of the main ServerName, which an address or name without port takes; 0 when it has none
 */
export function parseVirtualHostAddress(
  word: string,
  mainPort: number,
): { readonly addresses: readonly VirtualHostAddress[] } | { readonly unresolved: string } | { readonly error: string } {
  // What is no number behind the last colon belongs to a name, and that to nobody.
  const split = /^(?:(.*):(\*|\d+)|([^:]*|\[[^\]]*\]))$/.exec(word)
  if (split === null) return { unresolved: word }
  const [, beforePort, portText, alone] = split
  const bare = beforePort ?? alone
  if (bare === '') return { error: 'The address or port is invalid' }
  if (/^\d+$/.test(bare) && portText === undefined) return { error: 'Missing address for VirtualHost' }
  const host = bare.replace(/^\[|\]$/g, '')
  const any = host === '*' || host.toLowerCase() === '_default_'
  let port: number
  if (portText === undefined) port = any ? 0 : mainPort
  else if (portText === '*') port = 0
  else {
    port = Number(portText)
    if (port < 1 || port > 65535) return { error: 'The address or port is invalid' }
  }
  if (any) return { addresses: [{ address: '*', port, name: null }] }
  if (isIP(host) !== 0) return { addresses: [{ address: host.toLowerCase(), port, name: null }] }
  const found = lookUpInHosts(host)
  if (found.length === 0) return { unresolved: host }
  return { addresses: found.map((address) => ({ address, port, name: host })) }
}

/**
 * Names in `<VirtualHost>` are resolved while the configuration is read, which has to be synchronous: the hosts file is asked, as a resolver
 * would first; names that only a name server knows are not found.
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
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((one) => one.toLowerCase() === lower) && isIP(address) !== 0 ? [address.toLowerCase()] : []
  })
}
