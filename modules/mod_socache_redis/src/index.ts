import { defineModule, type Module } from '@gatewright/api'
import { addRemoteCaches, durationDirective, redisServer } from '@gatewright/store-client'

interface RedisConfig {
  /** RedisTimeout in milliseconds. */
  timeout?: number
}

/** How long a reply is awaited without RedisTimeout (ms), as in httpd. */
const DEFAULT_TIMEOUT = 5_000

/** Caches in servers that speak the protocol of Redis. */
const socacheRedis: Module<undefined, RedisConfig> = defineModule({
  name: 'socache_redis_module',
  source: 'mod_socache_redis.c',
  capabilities: ['net'],
  perServer: { create: () => ({}) },
  directives: {
    RedisConnPoolTTL: durationDirective('TTL used for the connection pool with the Redis server(s)', () => undefined),
    RedisTimeout: durationDirective(
      'R/W timeout used for the connection with the Redis server(s)',
      (config: RedisConfig, milliseconds) => {
        config.timeout = milliseconds
      },
    ),
  },
  register(host) {
    let limit = DEFAULT_TIMEOUT
    host.hooks.checkConfig.add(
      ({ servers: [main] }) => {
        const { timeout } = main === undefined ? {} : host.serverConfigOf(main)
        if (timeout !== undefined && timeout > 0) limit = timeout
      },
      { rank: 'first' },
    )
    addRemoteCaches(host, { kind: 'redis', port: 6379, client: (address) => redisServer(address, limit) })
  },
})
export default socacheRedis
