import type { Address, Network } from '@gatewright/ipset'

/** An address of a network: the first that is not the network address itself, if there is one. */
export function networkMember({ address, mask }: Network): string {
  return addressText(firstHost(address, mask))
}

function firstHost(address: Address, mask: Address): Address {
  const last = address.family === 4 ? 'w0' : 'w3'
  return (mask[last] & 1) === 0 ? { ...address, [last]: (address[last] | 1) >>> 0 } : address
}

function addressText({ family, w0, w1, w2, w3 }: Address): string {
  if (family === 4) return [w0 >>> 24, (w0 >>> 16) & 255, (w0 >>> 8) & 255, w0 & 255].join('.')
  const groups = [w0, w1, w2, w3].flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)]).join(':')
  // The longest run of zero groups, if it is longer than one (RFC 5952 section 4.2).
  const runs = groups.match(/\b0(?::0)+\b/g) ?? []
  const longest = runs.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? groups : groups.replace(longest, '::').replace(/:{3,}/, '::')
}
