import { DECLINED, defineModule, type Module, type ProxyBalancer, type Server } from '@gatewright/api'
import { balancersOf, electMember, memberAnswered } from '@gatewright/api/peers'
import { answered } from './answered.ts'
import { checkStart } from './check-start.ts'
import { elect } from './elect.ts'
import { manage } from './manager/handler.ts'
import { balancerCommand } from './operate/command.ts'

/** Balancers: groups of backends that serve the same URLs. */
const proxyBalancer: Module = defineModule({
  name: 'proxy_balancer_module',
  source: 'mod_proxy_balancer.c',
  register({ functions, hooks, providers, services, log }) {
    const methods = providers.proxyBalancerMethods
    let servers: readonly Server[] = []
    hooks.checkConfig.add((start) => {
      servers = start.servers
    })
    const ofAllServers = (): readonly ProxyBalancer[] => [
      ...new Set(servers.flatMap((server) => functions.get(balancersOf)?.(server) ?? [])),
    ]
    providers.serverCommands.add('balancer', balancerCommand({ methods, log, balancers: ofAllServers }))
    const parts = { log, methods }
    hooks.postConfig.add((start) => checkStart(start, { functions, methods, log }))
    functions.offer(electMember, (request, balancer, url) => elect(request, balancer, url, parts))
    functions.offer(memberAnswered, (request, balancer, member, timedOut) => answered(request, balancer, member, timedOut, log))
    // mod_proxy asks the scheme of the elected member.
    providers.proxySchemes.add('balancer', { log, defaultPort: 0, pass: () => DECLINED })
    const manager = {
      log,
      services,
      methods,
      balancersOf: (request: Parameters<typeof manage>[0]) => functions.get(balancersOf)?.(request.server) ?? [],
    }
    hooks.handler.add((request) => (request.handler === 'balancer-manager' ? manage(request, manager) : DECLINED))
  },
})
export default proxyBalancer
