import { isNetworkError, matchesNetwork, parseAddress, parseNetwork } from '@gatewright/ipset'
import { fullAddress } from '../base/full-address.ts'
import type { NetworkTest } from './expression-lookup.ts'

/** Address tests of expressions, by the same rules as `Require ip`. */
export const networkTest: NetworkTest = {
  compile(text) {
    const network = parseNetwork(text)
    if (isNetworkError(network)) return { error: network.message }
    return {
      matches: (addressText) => {
        const address = parseAddress(addressText) ?? parseAddress(fullAddress(addressText) ?? '')
        return address !== undefined && matchesNetwork(network, address)
      },
    }
  },
}
