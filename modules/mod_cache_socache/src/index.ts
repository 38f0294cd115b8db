import { defineModule, type Module, responseStorages } from '@gatewright/api'
import type { SocacheConfig, SocacheServerConfig } from './config.ts'
import { directives } from './directives.ts'
import { SocacheStorage } from './socache-storage.ts'

/** The storage `socache` of mod_cache. */
const cacheSocache: Module<SocacheConfig, SocacheServerConfig> = defineModule<SocacheConfig, SocacheServerConfig>({
  name: 'cache_socache_module',
  source: 'mod_cache_socache.c',
  perDirectory: { create: () => ({}), merge: (base, over) => ({ ...base, ...over }) },
  perServer: { create: () => ({}), merge: (base, over) => ({ ...base, ...over }) },
  directives,
  register(host) {
    const storage = new SocacheStorage(host)
    host.hooks.checkConfig.add(({ servers }) => storage.open(servers))
    host.hooks.postConfig.add(({ servers, checkOnly }) => {
      if (checkOnly) return undefined
      const fault = servers.map((server) => host.serverConfigOf(server).fault).find((each) => each !== undefined)
      if (fault !== undefined) host.log.write(null, 'crit', 'AH02392', fault)
      return fault
    })
    host.providers.of(responseStorages).add('socache', storage)
  },
})
export default cacheSocache
