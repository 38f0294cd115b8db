import type { AuthzCheck, AuthzProvider } from '@gatewright/api'
import {
  type AddressReader,
  compileNetworks,
  isNetworkError,
  matchesNetwork,
  type Network,
  parseNetwork,
} from '@gatewright/ipset'

/** `Require ip ADDRESS...`: the client's address lies in one of the networks. No names, no expressions. */
export function ipProvider(clients: AddressReader): AuthzProvider {
  const networksOf = new WeakMap<AuthzCheck, readonly Network[]>()

  function checkOf(networks: readonly Network[]): AuthzCheck {
    const check = networks.length === 1 ? checkOfOne(networks[0]) : checkOfMany(networks)
    networksOf.set(check, networks)
    return check
  }

  /** Lists of one network a line are joined with their neighbours: only the whole is worth compiling. */
  function checkOfOne(network: Network): AuthzCheck {
    return (request) => (matchesNetwork(network, clients.of(request.useragentAddress)) ? 'granted' : 'denied')
  }

  function checkOfMany(networks: readonly Network[]): AuthzCheck {
    const set = compileNetworks(networks)
    return (request) => (set.has(clients.of(request.useragentAddress)) ? 'granted' : 'denied')
  }

  function networksIn(check: AuthzCheck): readonly Network[] {
    const networks = networksOf.get(check)
    if (networks === undefined) throw new TypeError('the check was made by another provider')
    return networks
  }

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
      return checkOf(networks)
    },
    anyOf: (checks) => checkOf(checks.flatMap(networksIn)),
  }
}
