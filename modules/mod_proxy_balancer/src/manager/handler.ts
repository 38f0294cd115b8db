import {
  DECLINED,
  type HostServices,
  HTTP_METHOD_NOT_ALLOWED,
  type ModuleLog,
  type Outcome,
  type ProviderGroup,
  type ProxyBalancer,
  type ProxyBalancerMethod,
  type Request,
} from '@gatewright/api'
import { changeBalancer, changeMember } from './change.ts'
import { formOf, isOwnPage } from './form.ts'
import { answerProgram, wantsJson } from './json.ts'
import { isNonce, nonceOf } from './nonce.ts'
import { CONTENT_SECURITY_POLICY, managerPage, shortName } from './page.ts'
import { managerXml } from './xml.ts'

/** What the manager needs of the module. */
export interface ManagerParts {
  readonly log: ModuleLog
  readonly services: HostServices
  readonly methods: ProviderGroup<ProxyBalancerMethod>
  balancersOf(request: Request): readonly ProxyBalancer[]
}

/** Handles `SetHandler balancer-manager`: shows the balancers of the server, and changes them. */
export async function manage(request: Request, parts: ManagerParts): Promise<Outcome> {
  const { log, services, methods } = parts
  if (request.handler !== 'balancer-manager') return DECLINED
  request.allowed ??= new Set()
  for (const method of ['GET', 'POST']) request.allowed.add(method)
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') return HTTP_METHOD_NOT_ALLOWED
  const balancers = parts.balancersOf(request)
  const nonceFor = (balancer: ProxyBalancer): string => nonceOf(services, balancer)
  if (wantsJson(request)) return answerProgram(request, balancers, { log, methods, nonceFor })
  const form = await formOf(request)
  const isOwn = isOwnPage(request)
  if (!isOwn) {
    const referer = request.headersIn.get('Referer') ?? '(null)'
    log.write(
      request,
      'error',
      'AH10187',
      `ignoring params in balancer-manager cross-site access ${referer}: ${request.serverName()}`,
    )
  }
  const name = isOwn ? (form.get('b') ?? null) : null
  const balancer = name === null ? null : (balancers.find((one) => shortName(one) === name.toLowerCase()) ?? null)
  const member = balancer?.members.find((one) => one.name === form.get('w')) ?? null
  let problems: readonly string[] = []
  if (balancer !== null && isNonce(form.get('nonce') ?? '', nonceFor(balancer))) {
    problems = member === null ? changeBalancer(balancer, form, methods) : changeMember(balancer, member, form, methods)
  }
  if (isOwn && form.has('xml')) return request.send('text/xml', managerXml(balancers, nonceFor))
  request.headersOut.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  request.headersOut.set('X-Frame-Options', 'DENY')
  const page = managerPage({
    serverName: request.serverName(),
    banner: services.serverBanner(),
    path: request.uri,
    balancers,
    methods: methods.names(),
    balancer,
    member,
    problems,
    nonceOf: nonceFor,
  })
  return request.send('text/html; charset=ISO-8859-1', page.toString())
}
