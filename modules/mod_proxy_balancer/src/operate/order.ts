import {
  type ModuleLog,
  type ProviderGroup,
  type ProxyBalancer,
  type ProxyBalancerMethod,
  type ProxyMember,
  proxyWorkerStates,
  type Request,
} from '@gatewright/api'
import { changeBalancer, changeMember } from '../manager/change.ts'

/** The names of the orders about a member. */
export const ACTIONS = ['drain', 'disable', 'stop', 'enable'] as const

/** What a program wants to be done with a member, or with a balancer. */
export interface Order {
  readonly action: (typeof ACTIONS)[number] | null
  /** Parameters by their names in directives. */
  readonly set: ReadonlyMap<string, string>
}

/** What an order needs of the module, and who gives it: null is an operator at the machine. */
export interface OrderParts {
  readonly methods: ProviderGroup<ProxyBalancerMethod>
  readonly log: ModuleLog
  readonly request: Request | null
}

/** The fields of the manager's forms that the orders stand for. */
const ACTION_FIELDS: Readonly<Record<(typeof ACTIONS)[number], Readonly<Record<string, string>>>> = {
  drain: { w_status_N: '1' },
  disable: { w_status_D: '1' },
  stop: { w_status_S: '1' },
  enable: { w_status_N: '0', w_status_D: '0', w_status_S: '0' },
}
const MEMBER_FIELDS: Readonly<Record<string, string>> = { loadfactor: 'w_lf', lbset: 'w_ls', route: 'w_wr', redirect: 'w_rr' }
const BALANCER_FIELDS: Readonly<Record<string, string>> = {
  lbmethod: 'b_lbm',
  timeout: 'b_tmo',
  maxattempts: 'b_max',
  nofailover: 'b_sforce',
  stickysession: 'b_ss',
}

/**
 * Carries out an order. Nothing is changed if it names a parameter that cannot be changed.
 * @param member null: the order is about the balancer
 * @returns what is wrong with it, one sentence each
 */
export function carryOut(
  order: Order,
  balancer: ProxyBalancer,
  member: ProxyMember | null,
  parts: OrderParts,
): readonly string[] {
  const fields = member === null ? BALANCER_FIELDS : MEMBER_FIELDS
  const form = new Map<string, string>(Object.entries(order.action === null ? {} : ACTION_FIELDS[order.action]))
  for (const [name, value] of order.set) {
    if (!Object.hasOwn(fields, name))
      return [
        `a ${member === null ? 'balancer' : 'member'} has no parameter ${name} that can be changed: use ${Object.keys(fields).join(', ')}`,
      ]
    if (/[\x00-\x1f\x7f]/.test(value)) return [`the value of ${name} contains a control character`]
    form.set(fields[name], name === 'nofailover' ? flag(value) : value)
  }
  if (member === null && order.action !== null)
    return [`${order.action} needs a member: a balancer itself cannot be taken out of service`]
  if (form.size === 0) return ['the order changes nothing']
  const problems =
    member === null ? changeBalancer(balancer, form, parts.methods) : changeMember(balancer, member, form, parts.methods)
  // Its operator knows that it serves again: waiting for the time of its retry would send its requests to the others.
  if (member !== null && order.action === 'enable') member.mark(proxyWorkerStates.inError, false)
  if (problems.length === 0) note(order, balancer, member, parts)
  return problems
}

/** Sentences about what an order has led to, for people. */
export function consequences({ name, members }: ProxyBalancer): readonly string[] {
  const serves = members.some(({ isUsable, status }) => isUsable && (status & proxyWorkerStates.draining) === 0)
  return serves ? [] : [`no member of ${name} takes new requests`]
}

function flag(value: string): string {
  return /^on$/i.test(value) ? '1' : /^off$/i.test(value) ? '0' : value
}

function note({ action, set }: Order, balancer: ProxyBalancer, member: ProxyMember | null, { log, request }: OrderParts): void {
  const changes = [...(action === null ? [] : [action]), ...[...set].map(([name, value]) => `${name}=${value}`)]
  const subject = member === null ? balancer.name : `${balancer.name} ${member.name}`
  const whose = request === null ? 'an operator at this machine' : 'a client of the manager'
  log.write(request ?? balancer.server, 'notice', '', `${whose} changed ${subject}: ${changes.join(', ')}`)
}
