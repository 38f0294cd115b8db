import {
  type ProviderGroup,
  type ProxyBalancer,
  type ProxyBalancerMethod,
  type ProxyMember,
  proxyWorkerStates,
} from '@gatewright/api'
import type { Form } from './form.ts'

const STATES: readonly (readonly [field: string, state: number])[] = [
  ['w_status_I', proxyWorkerStates.ignoresErrors],
  ['w_status_N', proxyWorkerStates.draining],
  ['w_status_D', proxyWorkerStates.disabled],
  ['w_status_H', proxyWorkerStates.hotStandby],
  ['w_status_R', proxyWorkerStates.hotSpare],
  ['w_status_C', proxyWorkerStates.failsChecks],
  ['w_status_S', proxyWorkerStates.stopped],
]

/** Does what the form of a member asks for. @returns what is wrong with it, and what was changed */
export function changeMember(
  balancer: ProxyBalancer,
  member: ProxyMember,
  form: Form,
  methods: ProviderGroup<ProxyBalancerMethod>,
): readonly string[] {
  const couldServe = member.isUsable
  const problems: string[] = []
  const change = (name: string, value: string | undefined): void => {
    const problem = value === undefined ? undefined : member.change(name, value)
    if (problem !== undefined) problems.push(problem)
  }
  change('loadfactor', form.get('w_lf'))
  change('lbset', form.get('w_ls'))
  change('route', form.get('w_wr'))
  change('redirect', form.get('w_rr'))
  for (const [field, state] of STATES) {
    const value = form.get(field)
    if (value !== undefined) member.mark(state, Number.parseInt(value, 10) > 0)
  }
  // What it had counted before would give it all requests, or none.
  if ((!couldServe && member.isUsable) || form.has('w_lf')) reset(balancer, methods)
  return problems
}

/** Does what the form of a balancer asks for. @returns what is wrong with it */
export function changeBalancer(
  balancer: ProxyBalancer,
  form: Form,
  methods: ProviderGroup<ProxyBalancerMethod>,
): readonly string[] {
  const problems: string[] = []
  const change = (name: string, value: string | undefined): void => {
    const problem = value === undefined ? undefined : balancer.change(name, value)
    if (problem !== undefined) problems.push(problem)
  }
  const method = form.get('b_lbm')
  if (method !== undefined && method !== balancer.parameters.lbmethod) {
    change('lbmethod', method)
    reset(balancer, methods)
  }
  change('timeout', form.get('b_tmo'))
  change('maxattempts', form.get('b_max'))
  const force = form.get('b_sforce')
  if (force !== undefined) change('nofailover', Number.parseInt(force, 10) > 0 ? 'On' : 'Off')
  const sticky = form.get('b_ss')
  if (sticky !== undefined && sticky !== '') change('stickysession', sticky)
  const url = form.get('b_nwrkr')
  if (url !== undefined && url !== '' && form.get('b_wyes') === '1') {
    const added = balancer.addMember(url)
    if (typeof added === 'string') problems.push(added)
  }
  return problems
}

function reset(balancer: ProxyBalancer, methods: ProviderGroup<ProxyBalancerMethod>): void {
  const method = methods.get(balancer.parameters.lbmethod)
  if (method?.reset !== undefined) return method.reset(balancer)
  for (const member of balancer.members) member.count('lbStatus', -member.lbStatus)
}
