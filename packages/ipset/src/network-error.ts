import type { Network } from './network.ts'

/**
 * `not-an-address`: the text neither contains a colon nor consists of digits and dots; `Allow from` treats
 * such a word as a host name unless a mask follows. `bad-address` and `bad-mask`: the text is meant as an
 * address, but the address or its mask is malformed.
 */
export type NetworkErrorKind = 'not-an-address' | 'bad-address' | 'bad-mask'

/**
 * Why a text is not a network. `message` is httpd's text: for `not-an-address` that of `Allow from`, while
 * `Require ip` gives no reason after its `appears to be invalid`.
 */
export interface NetworkError {
  readonly kind: NetworkErrorKind
  readonly message: string
}

export const NOT_AN_ADDRESS: NetworkError = Object.freeze({ kind: 'not-an-address', message: 'An IP address was expected' })
export const BAD_ADDRESS: NetworkError = Object.freeze({ kind: 'bad-address', message: 'The specified IP address is invalid.' })
export const BAD_MASK: NetworkError = Object.freeze({ kind: 'bad-mask', message: 'The specified network mask is invalid.' })

/** Distinguishes the two results of `parseNetwork`. */
export function isNetworkError(result: Network | NetworkError): result is NetworkError {
  return 'kind' in result
}
