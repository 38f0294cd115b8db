import type { AuthzProvider } from '@gatewright/api'
import { type AddressReader, compileNetworks, isNetworkError, type Network, parseNetwork } from '@gatewright/ipset'

/** `Require ip ADDRESS...`: the client's address lies in one of the networks. No names, no expressions. */
export function ipProvider(clients: AddressReader): AuthzProvider {
  return {
    parse(argument, command) {
      const words = command.words(argument)
      if (words.length === 0 || words[0] === '') return "'require ip' requires an argument"
      const networks: Network[] = []
      for (const word of words) {
        const network = parseNetwork(word)
        if (isNetworkError(network)) {
          const reason = network.kind === 'not-an-address' ? '' : `: ${network.message}`
          return `ip address '${word}' appears to be invalid${reason}`
        }
        networks.push(network)
      }
      const set = compileNetworks(networks)
      return (request) => (set.has(clients.of(request.useragentAddress)) ? 'granted' : 'denied')
    },
  }
}
