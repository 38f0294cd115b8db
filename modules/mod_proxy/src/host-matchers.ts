/** A word of ProxyBlock or NoProxy. */
export type HostMatcher =
  | { readonly kind: 'any'; readonly text: string }
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'domain'; readonly text: string }
  | { readonly kind: 'host'; readonly text: string }
  | { readonly kind: 'network'; readonly text: string; readonly address: number; readonly mask: number }

/** A word of NoProxy: a network or address, a domain after its dot, or a host. */
export function directMatcher(word: string): HostMatcher {
  const network = networkOf(word)
  if (network !== null) return network
  const text = word.toLowerCase()
  return text.startsWith('.') ? { kind: 'domain', text } : { kind: 'host', text }
}

/** Whether NoProxy names the host of a URL. */
export function isDirect(matchers: readonly HostMatcher[], hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return matchers.some((matcher) => {
    switch (matcher.kind) {
      case 'domain':
        return name.endsWith(matcher.text)
      case 'network': {
        const address = addressOf(name)
        return address !== null && (address & matcher.mask) >>> 0 === matcher.address
      }
      default:
        return name === matcher.text
    }
  })
}

/** `10`, `10.1.0.0`, `10.1.0.0/16`: missing parts are zero, and zero parts at the end make a network. */
function networkOf(word: string): HostMatcher | null {
  const found = /^(\d{1,3}(?:\.\d{1,3}){0,3})\.?(?:\/(\d+(?:\.\d+){0,3}))?$/.exec(word)
  if (found === null) return null
  const parts = found[1].split('.').map(Number)
  if (parts.some((part) => part > 255)) return null
  while (parts.length < 4) parts.push(0)
  const given = found[2] === undefined ? null : found[2].includes('.') ? addressOf(found[2]) : maskOf(Number(found[2]))
  const mask = given ?? maskOf(8 * (4 - trailingZeros(parts)))
  const address = (numberOf(parts) & mask) >>> 0
  return { kind: 'network', text: word, address, mask }
}

function trailingZeros(parts: readonly number[]): number {
  let count = 0
  while (count < 4 && parts[3 - count] === 0) count++
  return count
}

function maskOf(bits: number): number {
  return bits <= 0 ? 0 : bits >= 32 ? 0xffff_ffff : (~0 << (32 - bits)) >>> 0
}

function addressOf(text: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null
  const parts = text.split('.').map(Number)
  return parts.some((part) => part > 255) ? null : numberOf(parts)
}

function numberOf([a, b, c, d]: readonly number[]): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}
