import { defineModule, type Module } from '@gatewright/api'
import { addRemoteCaches, durationDirective, memcacheServer } from '@gatewright/store-client'

/** How long a reply is awaited (ms). */
const TIMEOUT = 1_000

/** Caches in servers that speak the protocol of memcached. */
const socacheMemcache: Module<undefined, object> = defineModule({
  name: 'socache_memcache_module',
  source: 'mod_socache_memcache.c',
  capabilities: ['net'],
  perServer: { create: () => ({}) },
  directives: {
    MemcacheConnTTL: durationDirective('TTL used for the connection with the memcache server(s)', () => undefined),
  },
  register(host) {
    addRemoteCaches(host, { kind: 'memcache', port: 11_211, client: (address) => memcacheServer(address, TIMEOUT) })
  },
})
export default socacheMemcache
