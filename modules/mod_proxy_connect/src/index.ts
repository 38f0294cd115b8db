import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { WorkerPools } from '@gatewright/upstream'
import { type ConnectConfig, createConnectConfig, directives, mergeConnectConfig } from './allowed-ports.ts'
import { connect } from './connect.ts'

/** Tunnels for clients that use the server as a proxy, mostly for TLS: CONNECT. */
const proxyConnect: Module<undefined, ConnectConfig> = defineModule<undefined, ConnectConfig>({
  name: 'proxy_connect_module',
  source: 'mod_proxy_connect.c',
  capabilities: ['net'],
  perServer: { create: createConnectConfig, merge: mergeConnectConfig },
  directives,
  register({ providers, services, log, serverConfigOf, onEnd }) {
    const pools = new WorkerPools({ ttl: 0, smax: 0 })
    onEnd(() => pools.close())
    const none = createConnectConfig()
    providers.proxySchemes.add('CONNECT', {
      defaultPort: 0,
      log,
      canonical: (request, url) => (request.method === 'CONNECT' ? url : DECLINED),
      pass: (passing) => connect(passing, { pools, log, services, config: serverConfigOf(passing.request.server) ?? none }),
    })
  },
})
export default proxyConnect
