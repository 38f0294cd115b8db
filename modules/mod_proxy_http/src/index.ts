import { defineModule, type Module, type ProxyScheme } from '@gatewright/api'
import { pass } from './pass.ts'
import { Pools } from './pools.ts'

/** Backends that speak HTTP/1.1, in the clear; also those that change to WebSocket. */
const proxyHttp: Module = defineModule({
  name: 'proxy_http_module',
  source: 'mod_proxy_http.c',
  register({ providers, services, log, onEnd }) {
    const pools = new Pools()
    onEnd(() => pools.close())
    const parts = { pools, log, addressesOf: (name: string) => services.addressesOf(name) }
    const scheme = (defaultPort: number): ProxyScheme => ({ defaultPort, log, pass: (passing) => pass(passing, parts) })
    providers.proxySchemes.add('http', scheme(80))
    providers.proxySchemes.add('ws', scheme(80))
  },
})
export default proxyHttp
