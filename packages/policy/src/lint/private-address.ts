import { isNetworkError, matchesNetwork, type Network, parseAddress, parseNetwork } from '@gatewright/ipset'

/**
 * Whether an address is used only within organisations (RFC 1918, RFC 4193). Excludes the machine's own
 * addresses.
 */
export function isPrivateAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && PRIVATE.some((network) => matchesNetwork(network, address))
}

const PRIVATE: readonly Network[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'].flatMap((text) => {
  const network = parseNetwork(text)
  return isNetworkError(network) ? [] : [network]
})
