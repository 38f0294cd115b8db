import { ldapSession } from '@gatewright/api/peers'
import { RESULT } from '@gatewright/ldap'
import { searchFor, targetFor } from './known-user.ts'
import { bracketed, isTrue, type Requirement } from './requirements.ts'
import { isTooLong, tooLong, userFilter } from './search-filter.ts'

/** `Require ldap-user NAME...`: the attribute of the user has the whole line as its value, or one of its words. */
export const ldapUser: Requirement = {
  purpose: 'compare',
  expression: { code: 'AH02585', subject: "require user: Can't evaluate expression" },
  blankCode: 'AH01699',
  noDn: {
    code: 'AH01702',
    text: () => "auth_ldap authorize: require user: user's DN has not been defined; failing authorization",
  },
  async check({ host: { log }, request, config, session, user, text, words, grant }) {
    const attribute = config.url.nameAttribute
    const whole = await session.compare(config.url.text, user.dn, attribute, text)
    if (isTrue(whole)) {
      log.write(request, 'debug', 'AH01703', 'auth_ldap authorize: require user: authorization successful')
      return grant()
    }
    log.write(request, 'debug', 'AH01704', `auth_ldap authorize: require user: authorization failed ${bracketed(whole)}`)
    for (const word of words(text)) {
      if (word === '') break
      const outcome = await session.compare(config.url.text, user.dn, attribute, word)
      if (isTrue(outcome)) {
        log.write(request, 'debug', 'AH01705', 'auth_ldap authorize: require user: authorization successful')
        return grant()
      }
      log.write(request, 'debug', 'AH01706', `auth_ldap authorize: require user: authorization failed ${bracketed(outcome)}`)
    }
    const denied = `auth_ldap authorize user: authorization denied for user ${request.user} to ${request.uri}`
    log.write(request, 'debug', 'AH01707', denied)
    return 'denied'
  },
}

/** `Require ldap-dn DN`. */
export const ldapDn: Requirement = {
  purpose: 'search',
  expression: { code: 'AH02587', subject: "require dn: Can't evaluate expression" },
  blankCode: 'AH01722',
  noDn: {
    code: 'AH01725',
    text: () => "auth_ldap authorize: require dn: user's DN has not been defined; failing authorization",
  },
  async check({ host: { log }, request, config, session, user, text, grant }) {
    const outcome = await session.compareDn(config.url.text, user.dn, text, config.comparesDnOnServer)
    if (isTrue(outcome)) {
      log.write(request, 'debug', 'AH01726', 'auth_ldap authorize: require dn: authorization successful')
      return grant()
    }
    log.write(request, 'debug', 'AH01727', `auth_ldap authorize: require dn "${text}": LDAP error ${bracketed(outcome)}`)
    const denied = `auth_ldap authorize dn: authorization denied for user ${request.user} to ${request.uri}`
    log.write(request, 'debug', 'AH01728', denied)
    return 'denied'
  },
}

/** `Require ldap-attribute NAME=VALUE...`: the user's entry has one of the values. */
export const ldapAttribute: Requirement = {
  purpose: 'compare',
  expression: { code: 'AH02588', subject: "require ldap-attribute: Can't evaluate expression" },
  blankCode: 'AH01730',
  noDn: {
    code: 'AH01733',
    text: () => "auth_ldap authorize: require ldap-attribute: user's DN has not been defined; failing authorization",
  },
  async check({ host: { log }, request, config, session, user, text, words, grant }) {
    for (const [name, value] of assertionsIn(text, words)) {
      log.write(request, 'debug', 'AH01734', `auth_ldap authorize: checking attribute ${name} has value ${value}`)
      const outcome = await session.compare(config.url.text, user.dn, name, value)
      if (isTrue(outcome)) {
        log.write(request, 'debug', 'AH01735', 'auth_ldap authorize: require attribute: authorization successful')
        return grant()
      }
      const failure = `auth_ldap authorize: require attribute: authorization failed ${bracketed(outcome)}`
      log.write(request, 'debug', 'AH01736', failure)
    }
    const denied = `auth_ldap authorize attribute: authorization denied for user ${request.user} to ${request.uri}`
    log.write(request, 'debug', 'AH01737', denied)
    return 'denied'
  },
}

/** `Require ldap-filter FILTER`: a search for the user with this filter finds the user. */
export const ldapFilter: Requirement = {
  purpose: 'search',
  expression: { code: 'AH02589', subject: "require ldap-filter: Can't evaluate require expression" },
  blankCode: 'AH01739',
  noDn: {
    code: 'AH01742',
    text: () => "auth_ldap authorize: require ldap-filter: user's DN has not been defined; failing authorization",
  },
  async check({ host, request, config, session, user, text, useValues, grant }) {
    const { functions, log } = host
    if (text !== '') {
      log.write(request, 'debug', 'AH01743', `auth_ldap authorize: checking filter ${text}`)
      const filter = userFilter(text, config.url.nameAttribute, user.name)
      if (isTooLong(filter)) {
        log.write(request, 'error', 'AH02628', tooLong('authorize', filter))
        return 'denied'
      }
      const found = await session.findUser(searchFor(config, filter))
      let outcome: { readonly code: number; readonly reason: string } = found
      if (found.user !== null) {
        useValues(found.user)
        log.write(request, 'debug', 'AH01744', `auth_ldap authorize: checking dn match ${found.user.dn}`)
        const asUser = config.comparesAsUser
          ? functions.get(ldapSession)?.(request, targetFor(config, user, 'compare'))
          : undefined
        try {
          outcome = await (asUser ?? session).compareDn(config.url.text, user.dn, found.user.dn, config.comparesDnOnServer)
        } finally {
          asUser?.close()
        }
      }
      if (isTrue(outcome)) {
        log.write(request, 'debug', 'AH01745', 'auth_ldap authorize: require ldap-filter: authorization successful')
        return grant()
      }
      const subject = outcome.code === RESULT.filterError ? `${filter} authorization failed` : 'authorization failed'
      const code = outcome.code === RESULT.filterError ? 'AH01746' : 'AH01747'
      log.write(request, 'debug', code, `auth_ldap authorize: require ldap-filter: ${subject} ${bracketed(outcome)}`)
    }
    const denied = `auth_ldap authorize filter: authorization denied for user ${request.user} to ${request.uri}`
    log.write(request, 'debug', 'AH01748', denied)
    return 'denied'
  },
}

/** The pairs of a text `NAME=VALUE NAME="VALUE"`; a name without a value has an empty one. */
export function assertionsIn(text: string, words: (text: string) => readonly string[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  let rest = text
  while (rest !== '') {
    const equals = rest.indexOf('=')
    const name = equals < 0 ? rest : rest.slice(0, equals)
    const value = equals < 0 ? '' : rest.slice(equals + 1).replace(/^=+/, '')
    const word = /^\s*(?:(["'])(?:\\.|(?!\1).)*\1?|\S*)\s*/s.exec(value)?.[0] ?? ''
    pairs.push([name, words(word)[0] ?? ''])
    rest = value.slice(word.length)
  }
  return pairs
}
