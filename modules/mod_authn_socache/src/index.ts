import { defineModule, type Module } from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import { CachedUsers } from './cached-users.ts'
import { type CacheConfig, type CacheServerConfig, createCacheConfig, mergeCacheConfig } from './config.ts'
import { directives } from './directives.ts'

/** Size in bytes of the cache without AuthnCacheSOCache, as in httpd's shmcb. */
const DEFAULT_SIZE = 512 * 1024

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
      const { enabled, open = (name: string) => host.services.sharedStore(name, DEFAULT_SIZE) } = host.serverConfigOf(main)
      if (enabled || host.placedConfigs().some(({ config }) => config.providers !== undefined)) {
        users.keepIn(open('mod_authn_socache.c'))
      }
    })
  },
})

export default authnSocache
