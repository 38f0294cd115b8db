import { defineModule, type Module } from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import { CachedUsers } from './cached-users.ts'
import { type CacheConfig, type CacheServerConfig, createCacheConfig, mergeCacheConfig } from './config.ts'
import { CredentialCache } from './credential-cache.ts'
import { directives } from './directives.ts'
import { DEFAULT_SIZE } from './socache-argument.ts'

const authnSocache: Module<CacheConfig, CacheServerConfig> = defineModule({
  name: 'authn_socache_module',
  source: 'mod_authn_socache.c',
  perDirectory: { create: createCacheConfig, merge: mergeCacheConfig },
  perServer: { create: () => ({ enabled: false }) },
  directives,
  register(host) {
    const users = new CachedUsers(host)
    host.providers.authn.add('socache', users)
    host.functions.offer(storeCredentials, (request, found) => users.store(request, found))
    host.hooks.checkConfig.add(({ servers: [main] }) => {
      const { enabled, size = DEFAULT_SIZE } = host.serverConfigOf(main)
      if (enabled || host.placedConfigs().some(({ config }) => config.providers !== undefined)) {
        users.keepIn(new CredentialCache(size, () => performance.now()))
      }
    })
  },
})

export default authnSocache
