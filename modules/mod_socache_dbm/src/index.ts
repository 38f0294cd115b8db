import { type CacheProvider, defineModule, type Module } from '@gatewright/api'

/** The most bytes that a cache may occupy; httpd's grows without limit. */
const LIMIT = 64 * 1024 * 1024

/** The kind `dbm`: caches in the memory that all processes of the server share, without a file. */
const socacheDbm: Module = defineModule({
  name: 'socache_dbm_module',
  source: 'mod_socache_dbm.c',
  register({ providers, services }) {
    // Its path only distinguishes files, and the name of the purpose distinguishes stores.
    const provider: CacheProvider = { configure: () => (name) => services.sharedStore(`${name} dbm`, LIMIT) }
    providers.caches.add('dbm', provider)
  },
})
export default socacheDbm
