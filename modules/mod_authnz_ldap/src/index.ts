import { defineModule, type Module } from '@gatewright/api'
import { CharsetConversion } from './charsets.ts'
import { PasswordCheck } from './check-password.ts'
import { type AuthLdapConfig, type AuthLdapServerConfig, createConfig } from './config.ts'
import { directives } from './directives.ts'
import type { UserMemory } from './known-user.ts'
import { ldapGroup } from './ldap-group.ts'
import { ldapSearch } from './ldap-search.ts'
import { entryOfSearch, plainDirectory, readablePassword } from './lint.ts'
import { userRequirement } from './requirements.ts'
import { ldapAttribute, ldapDn, ldapFilter, ldapUser } from './user-requirements.ts'

const authnzLdap: Module<AuthLdapConfig, AuthLdapServerConfig> = defineModule({
  name: 'authnz_ldap_module',
  source: 'mod_authnz_ldap.c',
  capabilities: ['child-process', 'fs'],
  perDirectory: { create: createConfig },
  perServer: { create: () => ({}) },
  directives,
  register(host) {
    const { hooks, log, providers, services } = host
    const memory: UserMemory = host.requestSlot()
    const charsets = new CharsetConversion(log)
    const passwords = new PasswordCheck(host, charsets, memory)

    providers.authn.add('ldap', {
      decidesBy: 'configuration',
      checkPassword: (request, user, password) => passwords.check(request, user, password),
    })
    providers.lintRules.add('LDAP001', plainDirectory(host))
    providers.lintRules.add('LDAP003', readablePassword)
    providers.lintRules.add('LDAP004', entryOfSearch)
    providers.authz.add('ldap-user', userRequirement(host, memory, ldapUser))
    providers.authz.add('ldap-group', userRequirement(host, memory, ldapGroup))
    providers.authz.add('ldap-dn', userRequirement(host, memory, ldapDn))
    providers.authz.add('ldap-attribute', userRequirement(host, memory, ldapAttribute))
    providers.authz.add('ldap-filter', userRequirement(host, memory, ldapFilter))
    providers.authz.add('ldap-search', ldapSearch(host, memory))

    hooks.postConfig.add((start) => {
      const { charsetFile } = host.serverConfigOf(start.servers[0])
      return charsetFile === undefined ? undefined : charsets.read(charsetFile, start.servers[0], services, start)
    })
  },
})

export default authnzLdap
