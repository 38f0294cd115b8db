import {
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_NOT_FOUND,
  type ModuleLog,
  type Outcome,
  type ProviderGroup,
  type ProxyBalancer,
  type ProxyBalancerMethod,
  type Request,
} from '@gatewright/api'
import { balancerData } from '../operate/balancer-data.ts'
import { findBalancer, findMember } from '../operate/find.ts'
import { ACTIONS, carryOut, consequences, type Order } from '../operate/order.ts'
import { bodyOf, hasType } from './form.ts'
import { isNonce } from './nonce.ts'

/** What the answers to programs need of the module. */
export interface ProgramParts {
  readonly log: ModuleLog
  readonly methods: ProviderGroup<ProxyBalancerMethod>
  nonceFor(balancer: ProxyBalancer): string
}

/** Whether the query of a request asks for JSON: `?json`. */
export function wantsJson({ args }: Request): boolean {
  return args?.split('&').some((pair) => pair === 'json' || pair.startsWith('json=')) === true
}

/**
 * Answers a program: GET shows the balancers, POST carries out one order. A page of another site can send neither its type
 * of content nor the nonce, which it cannot read, with the credentials of an operator.
 */
export async function answerProgram(
  request: Request,
  balancers: readonly ProxyBalancer[],
  parts: ProgramParts,
): Promise<Outcome> {
  request.headersOut.set('Cache-Control', 'no-store')
  request.headersOut.set('X-Content-Type-Options', 'nosniff')
  const shown = (which: readonly ProxyBalancer[]): object[] =>
    which.map((balancer) => ({ ...balancerData(balancer), nonce: parts.nonceFor(balancer) }))
  if (request.method !== 'POST') return request.sendJson({ balancers: shown(balancers) })
  const result = carriedOut(await wantedOrder(request), balancers, request, parts)
  if ('status' in result) return refuse(request, result)
  return request.sendJson({ balancers: shown([result.balancer]), notes: consequences(result.balancer) })
}

/** Why an order is refused, for the answer. */
interface Refusal {
  readonly status: number
  readonly problems: readonly string[]
}

/** The order that a program sends, with what it is about. */
interface WantedOrder extends Order {
  readonly balancer: string
  readonly server: string | null
  readonly member: string | null
  readonly nonce: string
}

function carriedOut(
  wanted: WantedOrder | Refusal,
  balancers: readonly ProxyBalancer[],
  request: Request,
  { log, methods, nonceFor }: ProgramParts,
): { readonly balancer: ProxyBalancer } | Refusal {
  if ('status' in wanted) return wanted
  const balancer = findBalancer(balancers, wanted.balancer, wanted.server)
  if ('problem' in balancer) return { status: HTTP_NOT_FOUND, problems: [balancer.problem] }
  if (!isNonce(wanted.nonce, nonceFor(balancer.found)))
    return { status: HTTP_FORBIDDEN, problems: ['the nonce is not that of the balancer: get the present one with GET'] }
  const member = wanted.member === null ? null : findMember(balancer.found, wanted.member)
  if (member !== null && 'problem' in member) return { status: HTTP_NOT_FOUND, problems: [member.problem] }
  const problems = carryOut(wanted, balancer.found, member?.found ?? null, { log, methods, request })
  return problems.length > 0 ? { status: HTTP_BAD_REQUEST, problems } : { balancer: balancer.found }
}

function refuse(request: Request, { status, problems }: Refusal): Outcome {
  const outcome = request.sendJson({ problems })
  request.status = status
  return outcome
}

async function wantedOrder(request: Request): Promise<WantedOrder | Refusal> {
  if (!hasType(request, 'application/json')) return bad('the body of a POST is application/json')
  const body = await bodyOf(request)
  const value = body === null ? undefined : parsed(body.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('the body is not a JSON object of at most 16 KiB')
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const name of fields.keys()) if (!KNOWN.has(name)) return bad(`there is no field ${name}: use ${[...KNOWN].join(', ')}`)
  const texts = { balancer: textIn(fields, 'balancer'), server: textIn(fields, 'server'), member: textIn(fields, 'member') }
  const { balancer, server, member } = texts
  const nonce = fields.has('nonce') ? textIn(fields, 'nonce') : ''
  if (balancer === null) return bad('balancer names no balancer')
  for (const name of ['server', 'member'] as const)
    if (fields.has(name) && texts[name] === null) return bad(`${name} is not a text`)
  if (nonce === null) return bad('nonce is not a text')
  const action = fields.has('action') ? (ACTIONS.find((each) => each === fields.get('action')) ?? null) : null
  if (fields.has('action') && action === null) return bad(`action is one of ${ACTIONS.join(', ')}`)
  const set = settingsIn(fields.get('set'))
  return set === null ? bad('set is not an object of texts and numbers') : { balancer, server, member, nonce, action, set }
}

const KNOWN: ReadonlySet<string> = new Set(['balancer', 'server', 'member', 'nonce', 'action', 'set'])

function bad(problem: string): Refusal {
  return { status: HTTP_BAD_REQUEST, problems: [problem] }
}

function textIn(fields: ReadonlyMap<string, unknown>, name: string): string | null {
  const value = fields.get(name)
  return typeof value === 'string' ? value : null
}

function settingsIn(value: unknown): ReadonlyMap<string, string> | null {
  const set = new Map<string, string>()
  if (value === undefined) return set
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  for (const [name, each] of Object.entries(value)) {
    if (typeof each !== 'string' && typeof each !== 'number') return null
    set.set(name, String(each))
  }
  return set
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
