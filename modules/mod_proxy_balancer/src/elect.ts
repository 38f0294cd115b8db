import {
  HTTP_BAD_REQUEST,
  HTTP_SERVICE_UNAVAILABLE,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type ProviderGroup,
  type ProxyBalancer,
  type ProxyBalancerMethod,
  type ProxyMember,
  proxyWorkerStates,
  type Request,
} from '@gatewright/api'
import type { ElectedMember } from '@gatewright/api/peers'
import { memberOfRoute, type SessionRoute, sessionRoute } from './session-route.ts'

/** What electing needs of the module. */
export interface ElectParts {
  readonly log: ModuleLog
  readonly methods: ProviderGroup<ProxyBalancerMethod>
}

/** Elects the member for a request: that of its session, otherwise the one that the method of the balancer finds. */
export function elect(
  request: Request,
  balancer: ProxyBalancer,
  url: string,
  parts: ElectParts,
): MaybePromise<ElectedMember | Outcome> {
  const { log } = parts
  forceRecovery(balancer, log)
  const session = sessionRoute(balancer, request, url)
  const ofSession = session === null ? null : memberOfRoute(balancer, session.route)
  if (session !== null && ofSession !== null) {
    if (ofSession.route !== session.route) request.env.set('BALANCER_ROUTE_CHANGED', '1')
    countSession(balancer, ofSession, parts)
    return elected(request, balancer, ofSession, session, url)
  }
  if (session !== null && balancer.parameters.noFailover && balancer.members.some(({ route }) => route === session.route)) {
    const text = `${balancer.name}: All workers are in error state for route (${session.route})`
    log.write(request, 'error', 'AH01167', text)
    return HTTP_SERVICE_UNAVAILABLE
  }
  const found = findMember(request, balancer, parts)
  return found instanceof Promise
    ? found.then((member) => chosen(request, balancer, member, session, url, log))
    : chosen(request, balancer, found, session, url, log)
}

function chosen(
  request: Request,
  balancer: ProxyBalancer,
  member: ProxyMember | null,
  session: SessionRoute | null,
  url: string,
  log: ModuleLog,
): ElectedMember | Outcome {
  if (member === null) {
    const [code, text] =
      balancer.members.length === 0
        ? ['AH01171', `${balancer.name}: No workers in balancer`]
        : ['AH01170', `${balancer.name}: All workers are in error state`]
    log.write(request, 'error', code, text)
    return HTTP_SERVICE_UNAVAILABLE
  }
  // The client has no session yet, or its member cannot serve.
  if (balancer.parameters.stickySession !== null) request.env.set('BALANCER_ROUTE_CHANGED', '1')
  return elected(request, balancer, member, session, url)
}

function elected(
  request: Request,
  balancer: ProxyBalancer,
  member: ProxyMember,
  session: SessionRoute | null,
  url: string,
): ElectedMember | Outcome {
  const { env, notes } = request
  member.count('elected', 1)
  env.set('BALANCER_NAME', balancer.name)
  env.set('BALANCER_WORKER_NAME', member.name)
  env.set('BALANCER_WORKER_ROUTE', member.route)
  if (session !== null) {
    notes.set('session-sticky', session.sticky)
    notes.set('session-route', session.route)
    env.set('BALANCER_SESSION_STICKY', session.sticky)
    env.set('BALANCER_SESSION_ROUTE', session.route)
  }
  const slash = url.indexOf('/', 'balancer://'.length)
  return slash < 0 ? HTTP_BAD_REQUEST : { member, url: member.name + url.slice(slash) }
}

/** If all members are in error, they are tried again at once. */
function forceRecovery({ name, members, parameters }: ProxyBalancer, log: ModuleLog): void {
  for (let index = 0; index < members.length; index++) {
    const member = members[index]
    if ((member.status & proxyWorkerStates.inError) === 0 || member.retry()) return
  }
  if (!parameters.forceRecovery) return
  for (const member of members) {
    member.recover()
    log.write(null, 'debug', 'AH01165', `${name}: Forcing recovery for worker (${member.hostname}:${member.port})`)
  }
}

/** The requests of sessions count, so that the other requests go to the other members. */
function countSession(balancer: ProxyBalancer, member: ProxyMember, { methods }: ElectParts): void {
  const method = methods.get(balancer.parameters.lbmethod)
  if (method?.elected !== undefined) return method.elected(balancer, member)
  let total = 0
  for (const one of balancer.members) {
    if (!one.isUsable) continue
    one.count('lbStatus', one.lbfactor)
    total += one.lbfactor
  }
  member.count('lbStatus', -total)
}

/** Waits for a member that can serve if the balancer has a timeout. */
function findMember(request: Request, balancer: ProxyBalancer, { methods }: ElectParts): MaybePromise<ProxyMember | null> {
  const method = methods.get(balancer.parameters.lbmethod)
  if (method === undefined) return null
  const member = method.elect(balancer, request)
  const { timeout } = balancer.parameters
  if (member !== null || timeout === 0) return member
  return new Promise((resolve) => {
    const end = performance.now() + timeout
    let timer: NodeJS.Timeout | null = null
    const settle = (found: ProxyMember | null): void => {
      if (timer !== null) clearInterval(timer)
      resolve(found)
    }
    timer = setInterval(() => {
      const found = method.elect(balancer, request)
      if (found !== null || performance.now() >= end) settle(found)
    }, timeout / 100)
    request.whenGone(() => settle(null))
  })
}
