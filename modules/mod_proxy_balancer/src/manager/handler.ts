import { timingSafeEqual } from 'node:crypto'
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
  const form = await formOf(request)
  const balancers = parts.balancersOf(request)
  const nonceOf = (balancer: ProxyBalancer): string => balancer.nonce ?? madeNonce(services, balancer)
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
  if (balancer !== null && isSame(form.get('nonce') ?? '', nonceOf(balancer))) {
    problems = member === null ? changeBalancer(balancer, form, methods) : changeMember(balancer, member, form, methods)
  }
  if (isOwn && form.has('xml')) return request.send('text/xml', managerXml(balancers, nonceOf))
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
    nonceOf,
  })
  return request.send('text/html; charset=ISO-8859-1', page.toString())
}

/** The nonce of a balancer without `nonce=`: the same in all processes until the server stops. */
function madeNonce(services: HostServices, { name, server }: ProxyBalancer): string {
  const bytes = services.secret(`mod_proxy_balancer.c ${server.serverName} ${name}`)
  const digits = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function isSame(given: string, nonce: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(nonce)]
  return one.length === other.length && timingSafeEqual(one, other)
}
