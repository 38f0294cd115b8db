import {
  type AuthzProvider,
  type AuthzStatus,
  type HostServices,
  listedWords,
  type ModuleLog,
  type Request,
} from '@gatewright/api'
import { type Address, type AddressReader, parseAddress } from '@gatewright/ipset'
import { requireText } from './require-text.ts'

/** `Require forward-dns NAME...`: the client's address is one of those that a word resolves to. */
export function forwardDnsProvider(services: HostServices, clients: AddressReader, log: ModuleLog): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const text = requireText(argument, command, log, { provider: 'forward-dns', code: 'AH03354' })
      if (typeof text === 'string') return text
      return (request) => {
        const value = text.of(request)
        if (value === undefined) return 'denied'
        const names = namesBeforeComment(listedWords(value, command))
        return names.length === 0 ? 'denied' : resolvesToClient(names, request)
      }
    },
  }

  async function resolvesToClient(names: readonly string[], request: Request): Promise<AuthzStatus> {
    const client = clients.of(request.useragentAddress)
    for (const name of names) {
      // The client no longer waits for the response.
      if (request.connection.aborted) return 'denied'
      const addresses = await addressesOf(name)
      if (addresses.length === 0) log.write(request, 'warn', 'AH03356', `No sockaddr info for "${name}"`)
      for (const address of addresses) {
        const same = isSame(address, client)
        const text = `access check for ${request.useragentAddress} as '${name}': ${same ? 'yes' : 'no'}`
        log.write(request, 'debug', 'AH03355', text)
        if (same) return 'granted'
      }
    }
    return 'denied'
  }

  async function addressesOf(name: string): Promise<readonly Address[]> {
    const literal = parseAddress(name)
    if (literal !== undefined) return [literal]
    return (await services.addressesOf(name)).map(parseAddress).filter((address) => address !== undefined)
  }
}

/** The names before a comment: a `#` ends the list, and cuts the word that contains it. */
function namesBeforeComment(words: readonly string[]): string[] {
  const names: string[] = []
  for (const word of words) {
    const hash = word.indexOf('#')
    if (hash < 0) {
      names.push(word)
      continue
    }
    if (hash > 0) names.push(word.slice(0, hash))
    break
  }
  return names
}

function isSame(a: Address, b: Address): boolean {
  return a.family === b.family && a.w0 === b.w0 && a.w1 === b.w1 && a.w2 === b.w2 && a.w3 === b.w3
}
