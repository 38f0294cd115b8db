import { bestMember, defineModule, type Module, type ProxyBalancerMethod } from '@gatewright/api'

/** The member with the fewest requests in progress serves; among equal ones, they take turns as by `byrequests`. */
const byBusyness: ProxyBalancerMethod = {
  elect(balancer) {
    let total = 0
    const elected = bestMember(balancer, (candidate, best) => {
      candidate.count('lbStatus', candidate.lbfactor)
      total += candidate.lbfactor
      if (best === null || candidate.busy !== best.busy) return best === null || candidate.busy < best.busy
      return candidate.lbStatus > best.lbStatus
    })
    elected?.count('lbStatus', -total)
    return elected
  },
}

/** The method `bybusyness` of balancers. */
const lbmethodBybusyness: Module = defineModule({
  name: 'lbmethod_bybusyness_module',
  source: 'mod_lbmethod_bybusyness.c',
  register({ providers }) {
    providers.proxyBalancerMethods.add('bybusyness', byBusyness)
  },
})
export default lbmethodBybusyness
