/**
 * The unit of clients for sharing connections: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because the owner of one address of such a network usually has all of them.
 */
export function clientGroup(address: string): string {
  return address.includes(':') ? networkOf(address) : address
}

const COLON = 58
const WORDS = 8
const NETWORK_WORDS = 4

/** Most clients' addresses have no `::` before the fifth word: their network is a prefix of the text. */
function networkOf(address: string): string {
  let words = 0
  for (let colon = address.indexOf(':'); colon >= 0; colon = address.indexOf(':', colon + 1)) {
    if (address.charCodeAt(colon + 1) === COLON) break
    if (++words === NETWORK_WORDS) return `${address.slice(0, colon)}::/64`
  }
  return networkOfShort(address)
}

/** `2001:db8::1` belongs to `2001:db8:0:0::/64`. */
function networkOfShort(address: string): string {
  const gap = address.indexOf('::')
  const before = wordsOf(gap < 0 ? address : address.slice(0, gap))
  const after = gap < 0 ? [] : wordsOf(address.slice(gap + 2))
  const missing = WORDS - before.length - after.length - (address.includes('.') ? 1 : 0)
  const words = [...before, ...new Array<string>(Math.max(0, missing)).fill('0'), ...after]
  return `${words.slice(0, NETWORK_WORDS).join(':')}::/64`
}

function wordsOf(part: string): string[] {
  return part === '' ? [] : part.split(':')
}
