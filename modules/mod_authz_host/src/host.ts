import {
  type AuthzProvider,
  type AuthzStatus,
  type HostServices,
  listedWords,
  type ModuleLog,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { coversName } from '@gatewright/api/text'
import { requireText } from './require-text.ts'

/** `Require host NAME...`: the client's name, by double reverse lookup, is or ends with one of the words. */
export function hostProvider(services: HostServices, log: ModuleLog): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const text = requireText(argument, command, log, { provider: 'host', code: 'AH02593' })
      if (typeof text === 'string') return text

      const decide = (request: Request, name: string | null): AuthzStatus => {
        if (name === null) {
          const what = `access check of '${argument}' to ${request.uri} failed`
          log.write(request, 'error', 'AH01753', `${what}, reason: unable to get the remote host name`)
          return 'denied'
        }
        const value = text.of(request)
        const names = value === undefined ? undefined : withoutComment(value, request, log)
        return names !== undefined && listedWords(names, command).some((word) => coversName(word, name)) ? 'granted' : 'denied'
      }
      return (request) => {
        const name = services.remoteHost(request)
        return whenSettled(name, (found) => decide(request, found))
      }
    },
  }
}

/** The names before a `#`; undefined if there are none. */
function withoutComment(value: string, request: Request, log: ModuleLog): string | undefined {
  const hash = value.indexOf('#')
  if (hash < 0) return value
  if (hash === 0) {
    log.write(request, 'error', 'AH10120', `authz_host authorize: dubious empty 'Require host ${value}' with only comment`)
    return undefined
  }
  log.write(request, 'warn', 'AH10121', `authz_host authorize: ignoring comment in 'Require host ${value}'`)
  return value.slice(0, hash)
}
