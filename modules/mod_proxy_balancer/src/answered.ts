import { type ModuleLog, type ProxyBalancer, type ProxyMember, proxyWorkerStates, type Request } from '@gatewright/api'

/** Puts a member in error whose response has one of the statuses of `failonstatus`, or that did not answer in time. */
export function answered(
  request: Request,
  { name, parameters }: ProxyBalancer,
  member: ProxyMember,
  timedOut: boolean,
  log: ModuleLog,
): void {
  if ((member.status & proxyWorkerStates.ignoresErrors) !== 0) return
  const forcing = `${name}: Forcing worker (${member.name}) into error state due to`
  if (parameters.failOnStatus.includes(request.status)) {
    const reason = `status code ${request.status} matching 'failonstatus' balancer parameter`
    log.write(request, 'error', 'AH01174', `${forcing} ${reason}`)
    member.fail()
  }
  if (parameters.failOnTimeout && timedOut) {
    log.write(request, 'error', 'AH02460', `${forcing} timeout and 'failontimeout' parameter being set`)
    member.fail()
  }
}
