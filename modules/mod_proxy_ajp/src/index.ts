import { defineModule, type Module } from '@gatewright/api'
import { USUAL_IDLE, WorkerPools } from '@gatewright/upstream'
import { DEFAULT_PORT, pass } from './pass.ts'

/** Back ends that speak AJP/1.3, such as Tomcat. */
const proxyAjp: Module = defineModule({
  name: 'proxy_ajp_module',
  source: 'mod_proxy_ajp.c',
  capabilities: ['net'],
  register({ providers, services, functions, log, onEnd }) {
    const pools = new WorkerPools(USUAL_IDLE)
    pools.inherit(services, 'mod_proxy_ajp.c', log)
    onEnd(() => pools.close())
    const parts = { pools, log, services, functions }
    providers.proxySchemes.add('ajp', {
      defaultPort: DEFAULT_PORT,
      log,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
  },
})
export default proxyAjp
