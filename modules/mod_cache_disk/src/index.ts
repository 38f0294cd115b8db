import { defineModule, type Module, responseStorages } from '@gatewright/api'
import type { DiskConfig, DiskServerConfig } from './config.ts'
import { directives } from './directives.ts'
import { DiskStorage } from './disk-storage.ts'
import { Remains } from './remains.ts'

/** The storage `disk` of mod_cache. */
const cacheDisk: Module<DiskConfig, DiskServerConfig> = defineModule<DiskConfig, DiskServerConfig>({
  name: 'cache_disk_module',
  source: 'mod_cache_disk.c',
  capabilities: ['fs'],
  perDirectory: { create: () => ({}), merge: (base, over) => ({ ...base, ...over }) },
  perServer: { create: () => ({}) },
  directives,
  register(host) {
    const remains = new Remains()
    host.onEnd(() => remains.end())
    host.providers.of(responseStorages).add('disk', new DiskStorage(host, remains))
  },
})
export default cacheDisk
