import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** The longest chain that is followed. */
const MOST_CERTIFICATES = 100

const CHAINS = new WeakMap<TLSSocket, readonly X509Certificate[]>()

/**
 * The client's certificate, and those that it sent along. Node takes the others from the handshake when it is first
 * asked: later it has the client's own only, so they are kept here.
 */
export function clientChain(socket: TLSSocket): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  let next = socket.getPeerX509Certificate()
  while (next !== undefined && chain.length < MOST_CERTIFICATES) {
    const previous = chain.at(-1)
    if (previous !== undefined && previous.fingerprint256 === next.fingerprint256) break
    chain.push(next)
    next = next.issuerCertificate
  }
  const known = CHAINS.get(socket) ?? []
  if (chain.length === 1 && known[0]?.fingerprint256 === chain[0].fingerprint256) return known
  CHAINS.set(socket, chain)
  return chain
}
