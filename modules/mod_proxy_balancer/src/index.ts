import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { electMember, memberAnswered } from '@gatewright/api/peers'
import { answered } from './answered.ts'
import { elect } from './elect.ts'

/** Balancers: groups of backends that serve the same URLs. */
const proxyBalancer: Module = defineModule({
  name: 'proxy_balancer_module',
  source: 'mod_proxy_balancer.c',
  register({ functions, providers, log }) {
    const parts = { log, methods: providers.proxyBalancerMethods }
    functions.offer(electMember, (request, balancer, url) => elect(request, balancer, url, parts))
    functions.offer(memberAnswered, (request, balancer, member, timedOut) => answered(request, balancer, member, timedOut, log))
    // mod_proxy asks the scheme of the elected member.
    providers.proxySchemes.add('balancer', { log, defaultPort: 0, pass: () => DECLINED })
  },
})
export default proxyBalancer
