import { timingSafeEqual } from 'node:crypto'
import type { HostServices, ProxyBalancer } from '@gatewright/api'

/** What a change of a balancer has to name; '' for nothing. Without `nonce=`, it is the same in all processes until the server stops. */
export function nonceOf(services: HostServices, { name, server, nonce }: ProxyBalancer): string {
  if (nonce !== null) return nonce
  const bytes = services.secret(`mod_proxy_balancer.c ${server.serverName} ${name}`)
  const digits = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether a client has named a nonce. */
export function isNonce(given: string, nonce: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(nonce)]
  return one.length === other.length && timingSafeEqual(one, other)
}
