import type { Network } from './network.ts'

/**
 * `not-an-address`: neither a colon in it nor digits and dots only; `Allow from` takes such a word for a host name unless a mask
 * follows. `bad-address` and `bad-mask`: meant as an address, but it or its mask is malformed.
 */
export type NetworkErrorKind = 'not-an-address' | 'bad-address' | 'bad-mask'

/**
 * Why a text is no network. `message` is what httpd says; of `not-an-address` that is what `Allow from` says, while `Require ip`
 * adds no reason to its `appears to be invalid`.
 */
export interface NetworkError {
  readonly kind: NetworkErrorKind
  readonly message: string
}

export const NOT_AN_ADDRESS: NetworkError = Object.freeze({ kind: 'not-an-address', message: 'An IP address was expected' })
export const BAD_ADDRESS: NetworkError = Object.freeze({ kind: 'bad-address', message: 'The specified IP address is invalid.' })
export const BAD_MASK: NetworkError = Object.freeze({ kind: 'bad-mask', message: 'The specified network mask is invalid.' })

/** Tells the two results of `parseNetwork` apart. */
export function isNetworkError(result: Network | NetworkError): result is NetworkError {
  return 'kind' in result
}
