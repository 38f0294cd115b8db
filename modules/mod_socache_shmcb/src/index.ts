import { type CacheProvider, defineModule, type Module } from '@gatewright/api'
import { sizeIn } from './cache-argument.ts'

/** Caches in memory that all processes of the server share. */
const socacheShmcb: Module = defineModule({
  name: 'socache_shmcb_module',
  source: 'mod_socache_shmcb.c',
  register({ providers, services }) {
    const provider: CacheProvider = {
      configure: (argument) => {
        const size = sizeIn(argument)
        return typeof size === 'string' ? { error: `Invalid argument: ${size}` } : (name) => services.sharedStore(name, size)
      },
    }
    providers.caches.add('shmcb', provider)
    providers.caches.add('default', provider)
  },
})
export default socacheShmcb
