import { bestMember, defineModule, type Module, type ProxyBalancerMethod } from '@gatewright/api'

/**
 * Members serve in turn, each as often as its factor says: every candidate gains its factor, and the elected one, which
 * has most, pays the sum of all.
 */
const byRequests: ProxyBalancerMethod = {
  elect(balancer) {
    let total = 0
    const elected = bestMember(balancer, (candidate, best) => {
      candidate.count('lbStatus', candidate.lbfactor)
      total += candidate.lbfactor
      return best === null || candidate.lbStatus > best.lbStatus
    })
    elected?.count('lbStatus', -total)
    return elected
  },
}

/** The method `byrequests` of balancers. */
const lbmethodByrequests: Module = defineModule({
  name: 'lbmethod_byrequests_module',
  source: 'mod_lbmethod_byrequests.c',
  register({ providers }) {
    providers.proxyBalancerMethods.add('byrequests', byRequests)
  },
})
export default lbmethodByrequests
