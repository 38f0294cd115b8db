import { type AuthzCheck, type AuthzProvider, listedWords } from '@gatewright/api'
import {
  type AddressReader,
  compileNetworks,
  isNetworkError,
  matchesNetwork,
  type Network,
  parseNetwork,
} from '@gatewright/ipset'

const NETWORKS = Symbol('networks')

/**
 * A check that stores its networks. They are a property of the function, because a weak map with a hundred
 * thousand entries burdens garbage collection more than everything else.
 */
interface IpCheck extends AuthzCheck {
  [NETWORKS]?: readonly Network[]
}

function networksIn(check: IpCheck): readonly Network[] {
  const networks = check[NETWORKS]
  if (networks === undefined) throw new TypeError('the check was made by another provider')
  return networks
}

/**
 * `Require ip ADDRESS...`: the client's address is in one of the networks. Names and expressions are not
 * supported.
 */
export function ipProvider(clients: AddressReader): AuthzProvider {
  function checkOf(networks: readonly Network[]): IpCheck {
    const check = networks.length === 1 ? checkOfOne(networks[0]) : checkOfMany(networks)
    check[NETWORKS] = networks
    return check
  }

  /**
   * Not compiled: lines with one network are joined with their neighbours, and only the joined list is worth
   * compiling.
   */
  function checkOfOne(network: Network): IpCheck {
    return (request) => (matchesNetwork(network, clients.of(request.useragentAddress)) ? 'granted' : 'denied')
  }

  function checkOfMany(networks: readonly Network[]): IpCheck {
    const set = compileNetworks(networks)
    return (request) => (set.has(clients.of(request.useragentAddress)) ? 'granted' : 'denied')
  }

  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const words = listedWords(argument, command)
      if (words.length === 0) return "'require ip' requires an argument"
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
