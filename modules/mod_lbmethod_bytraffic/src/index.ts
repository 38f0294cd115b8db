import { bestMember, defineModule, type Module, type ProxyBalancerMethod, type ProxyMember } from '@gatewright/api'

/** Bytes both ways in relation to the factor; each part is rounded down, as in httpd. */
function trafficOf({ sent, received, lbfactor }: ProxyMember): number {
  return Math.trunc(sent / lbfactor) + Math.trunc(received / lbfactor)
}

/** The member that has carried the least traffic serves. */
const byTraffic: ProxyBalancerMethod = {
  elect: (balancer) => bestMember(balancer, (candidate, best) => best === null || trafficOf(candidate) < trafficOf(best)),
}

/** The method `bytraffic` of balancers. */
const lbmethodBytraffic: Module = defineModule({
  name: 'lbmethod_bytraffic_module',
  source: 'mod_lbmethod_bytraffic.c',
  register({ providers }) {
    providers.proxyBalancerMethods.add('bytraffic', byTraffic)
  },
})
export default lbmethodBytraffic
