import type { AuthzProvider } from '@gatewright/api'
import { ldapSession } from '@gatewright/api/peers'
import { isUsable } from './config.ts'
import {
  type Host,
  type KnownUser,
  type Remembered,
  recall,
  searchFor,
  setVariables,
  targetFor,
  type UserMemory,
} from './known-user.ts'
import { bracketed, evaluate } from './requirements.ts'

const EXPRESSION = { code: 'AH02629', subject: "require ldap-search: Can't evaluate require expression" }

/**
 * `Require ldap-search FILTER`: a search finds exactly one entry. It is about no user, so it never asks for one. As in httpd,
 * the lines after it judge the entry that it found in place of the user's own.
 */
export function ldapSearch(host: Host, memory: UserMemory): AuthzProvider {
  const { configOf, functions, log } = host
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const text = command.services.text(argument, command, log)
      if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
      return async (request) => {
        const config = configOf(request)
        if (!isUsable(config)) return 'denied'
        const session = functions.get(ldapSession)?.(request, targetFor(config, memory.get(request)?.user ?? null, 'search'))
        if (session === undefined) return 'denied'
        try {
          const { user } = recall(host, request, memory)
          const filter = evaluate(host, request, text, EXPRESSION)
          if (filter === undefined) return 'denied'
          if (filter !== '') {
            log.write(request, 'debug', 'AH02630', `auth_ldap authorize: checking filter ${filter}`)
            const outcome = await session.findUser(searchFor(config, filter))
            if (outcome.user !== null) {
              log.write(request, 'debug', 'AH02631', 'auth_ldap authorize: require ldap-search: authorization successful')
              setVariables(request, config, config.authorizePrefix, outcome.user)
              if (request.user !== null) memory.set(request, inPlaceOf(user, request.user, outcome.user.dn))
              return 'granted'
            }
            const failure = `${filter} authorization failed ${bracketed(outcome)}`
            log.write(request, 'debug', 'AH02632', `auth_ldap authorize: require ldap-search: ${failure}`)
          }
          log.write(request, 'debug', 'AH02633', `auth_ldap authorize search: authorization denied for to ${request.uri}`)
          return 'denied'
        } finally {
          session.close()
        }
      }
    },
  }
}

/** The entry that a search has found, with the name of the user who has logged in. */
function inPlaceOf(known: KnownUser | null, name: string, dn: string): Remembered {
  return { user: { dn, name: known?.name ?? name, password: known?.password ?? null }, entry: null }
}
