import { isIP } from 'node:net'
import type { HostServices, Request } from '@gatewright/api'
import type { ForwardingPeer } from '@gatewright/api/peers'
import { type AddressReader, matchesNetwork } from '@gatewright/ipset'
import type { AuthRequestConfig } from './config.ts'
import type { FieldNames } from './field-names.ts'

/** Whether the peer may ask: by AuthRequestTrust alone if there is one, else by the proxies that mod_remoteip knows. */
export function isTrusted(
  request: Request,
  { trusted }: Readonly<AuthRequestConfig>,
  peer: ForwardingPeer | null,
  addresses: AddressReader,
): boolean {
  if (trusted === undefined) return peer?.isListed === true
  const address = addresses.of(request.connection.remoteAddress)
  return trusted.some((network) => matchesNetwork(network, address))
}

/**
 * The address of the original client: the one that mod_remoteip has found, or the last one of the field, which the peer
 * itself has written.
 * @returns null if there is none
 */
export function clientOf(
  request: Request,
  names: FieldNames,
  peer: ForwardingPeer | null,
  services: Pick<HostServices, 'resolveAddress'>,
): string | null {
  if (peer?.namedClient === true) return request.useragentAddress
  const field = names.client === undefined ? undefined : request.headersIn.get(names.client)
  const last = field?.slice(field.lastIndexOf(',') + 1).trim() ?? ''
  if (isIP(last) === 0 || last.includes('%')) return null
  const address = services.resolveAddress(last)
  return typeof address === 'string' ? address : null
}
