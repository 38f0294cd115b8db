import { type LdapOutcome, ldapSession } from '@gatewright/api/peers'
import { RESULT } from '@gatewright/ldap'
import { targetFor } from './known-user.ts'
import { isTrue, numbered, type Requirement } from './requirements.ts'

const ATTRIBUTES = ['member', 'uniqueMember'] as const
const CLASSES = ['groupOfNames', 'groupOfUniqueNames'] as const

/** `Require ldap-group DN`: the user is a member of the group, or of a group inside it. */
export const ldapGroup: Requirement = {
  purpose: 'compare',
  expression: { code: 'AH02586', subject: "require group: Can't evaluate expression" },
  blankCode: 'AH10490',
  noDn: {
    code: 'AH01712',
    text: (name) => `auth_ldap authorize: require group: user's DN has not been defined; failing authorization for user ${name}`,
  },
  async check({ host, request, config, session, user, text, grant }) {
    const { functions, log } = host
    const attributes = config.groupAttributes.length > 0 ? config.groupAttributes : ATTRIBUTES
    const member = config.groupAttributeIsDn ? user.dn : user.name
    const testing = 'auth_ldap authorize: require group: testing for'
    log.write(request, 'debug', 'AH01713', `${testing} group membership in "${text}"`)
    let outcome: LdapOutcome = { code: RESULT.success, reason: '' }
    for (const attribute of attributes) {
      log.write(request, 'debug', 'AH01714', `${testing} ${attribute}: ${member} (${text})`)
      outcome = await session.compare(config.url.text, text, attribute, member)
      if (isTrue(outcome)) {
        const success = `authorization successful (attribute ${attribute}) ${numbered(outcome)}`
        log.write(request, 'debug', 'AH01715', `auth_ldap authorize: require group: ${success}`)
        return grant()
      }
      const failure = `didn't match with attr ${attribute} ${numbered(outcome)}`
      log.write(request, 'debug', 'AH01719', `auth_ldap authorize: require group "${text}": ${failure}`)
    }

    session.close()
    const nested = functions.get(ldapSession)?.(request, targetFor(config, user, 'both'))
    if (nested === undefined) return 'denied'
    try {
      const failure = `failed ${numbered(outcome)}, checking sub-groups`
      log.write(request, 'debug', 'AH01716', `auth_ldap authorise: require group "${text}": ${failure}`)
      const subgroups = {
        attributes: config.subgroupAttributes.length > 0 ? config.subgroupAttributes : ATTRIBUTES,
        classes: config.subgroupClasses.length > 0 ? config.subgroupClasses : CLASSES,
        depth: config.subgroupDepth,
      }
      for (const attribute of attributes) {
        outcome = await nested.inSubgroups(config.url.text, text, attribute, member, subgroups)
        if (isTrue(outcome)) {
          const success = `authorisation successful (attribute ${attribute}) ${numbered(outcome)}`
          log.write(request, 'debug', 'AH01717', `auth_ldap authorise: require group (sub-group): ${success}`)
          return grant()
        }
        // httpd has the reason and the attribute in each other's place.
        const { code, reason } = outcome
        const failed = `didn't match with attr ${reason} ${numbered({ code, reason: attribute })}`
        log.write(request, 'debug', 'AH01718', `auth_ldap authorise: require group (sub-group) "${text}": ${failed}`)
      }
    } finally {
      nested.close()
    }
    const denied = `auth_ldap authorize group: authorization denied for user ${request.user} to ${request.uri}`
    log.write(request, 'debug', 'AH01720', denied)
    return 'denied'
  },
}
