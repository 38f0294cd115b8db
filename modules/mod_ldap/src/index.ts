import { randomBytes } from 'node:crypto'
import { defineModule, type Module } from '@gatewright/api'
import { extendMetrics, ldapSession, ldapTrustedMode } from '@gatewright/api/peers'
import { AnswerCache } from './answer-cache.ts'
import { directives } from './directives.ts'
import { Directories } from './directories.ts'
import { unverifiedServer } from './lint.ts'
import {
  createSectionSettings,
  createServerSettings,
  type LdapSectionSettings,
  type LdapServerSettings,
  mergeSectionSettings,
  mergeServerSettings,
} from './settings.ts'
import { ShownSession } from './shown-session.ts'
import { answerLdapStatus } from './status-page.ts'

const EPOCH = 'util_ldap.c'

const ldap: Module<LdapSectionSettings, LdapServerSettings> = defineModule({
  name: 'ldap_module',
  source: 'util_ldap.c',
  capabilities: ['net'],
  perDirectory: { create: createSectionSettings, merge: mergeSectionSettings },
  perServer: { create: createServerSettings, merge: mergeServerSettings },
  directives,
  register(host) {
    const { functions, hooks, services, providers } = host
    const directories = new Directories(host)
    functions.offer(ldapSession, (request, target) => {
      const session = directories.session(request, target)
      return request.tracer === null ? session : new ShownSession(request, session, target)
    })
    functions.offer(ldapTrustedMode, (server) => host.serverConfigOf(server).security ?? 'none')
    providers.lintRules.add('LDAP002', unverifiedServer)

    hooks.postConfig.add(({ servers: [main], isFirst }) => {
      // As in httpd, one of the two switches off both.
      const settings = host.serverConfigOf(main)
      const { cacheEntries, opCacheEntries, cacheTtl, opCacheTtl } = settings
      if (cacheEntries <= 0 || opCacheEntries <= 0) return
      if (isFirst) services.retained.set(EPOCH, randomBytes(16))
      const epoch = Buffer.from(services.retained.get(EPOCH) ?? []).toString('hex')
      directories.cache = new AnswerCache(
        {
          entries: { user: cacheEntries, comparison: opCacheEntries, dn: opCacheEntries, subgroups: opCacheEntries },
          ttl: { user: cacheTtl, comparison: opCacheTtl, dn: opCacheTtl, subgroups: opCacheTtl },
          shared: settings.sharedCacheSize,
        },
        services,
        epoch,
      )
    })
    hooks.handler.add((request) => answerLdapStatus(request, directories))
    host.optionalHooks.add(extendMetrics, () => directories.guarded.metrics())
    host.onEnd(() => directories.pool.close())
  },
})

export default ldap
