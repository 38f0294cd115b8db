import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  type OptionalFunctions,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { electMember, memberAnswered } from '@gatewright/api/peers'
import type { Balancer } from './workers/balancer.ts'
import type { ServerWorkers } from './workers/server-workers.ts'
import type { Worker } from './workers/worker.ts'

/** How one member dealt with a request. */
export interface Attempt {
  readonly outcome: Outcome
  readonly timedOut: boolean
  readonly wasSent: boolean
  /** Whether the outcome is the status of the member's own response, which a page of the server replaces. */
  readonly isAnswer: boolean
}

/** The balancer that a URL names, if a module can elect members. */
export function balancerFor(url: string, workers: readonly ServerWorkers[], functions: OptionalFunctions): Balancer | null {
  if (functions.get(electMember) === undefined) return null
  for (const own of workers) {
    const balancer = own.balancer(url)
    if (balancer !== null) return balancer
  }
  return null
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Passes a request to members of a balancer, until one can serve it. Where one may have acted on the request, another one can try
 * only what changes nothing; what was sent of a long body is not there a second time.
 * @param pass passes the request to a member
 */
export async function passToMembers(
  request: Request,
  balancer: Balancer,
  url: string,
  functions: OptionalFunctions,
  pass: (member: Worker, url: string) => Promise<Attempt>,
): Promise<Outcome> {
  const elect = functions.get(electMember)
  if (elect === undefined) return HTTP_SERVICE_UNAVAILABLE
  const most = balancer.parameters.maxAttempts ?? Math.max(0, balancer.members.length - 1)
  for (let attempts = 0; ; attempts++) {
    const found = elect(request, balancer, url)
    const elected = found instanceof Promise ? await found : found
    if (typeof elected === 'number') return elected
    const member = balancer.members.find((one) => one === elected.member)
    if (member === undefined) return HTTP_INTERNAL_SERVER_ERROR
    request.filename = `proxy:${elected.url}`
    member.count('busy', 1)
    request.onDone(() => member.count('busy', -1))
    const { outcome, timedOut, wasSent, isAnswer } = await pass(member, elected.url)
    if (!isAnswer && (outcome === HTTP_INTERNAL_SERVER_ERROR || outcome === HTTP_SERVICE_UNAVAILABLE)) member.fail()
    const mayTryAgain = !isAnswer && (!wasSent || mayBeRepeated(request))
    if (outcome === HTTP_SERVICE_UNAVAILABLE && !member.isUsable && mayTryAgain && attempts < most) continue
    const { status } = request
    if (outcome >= 400) request.status = outcome
    functions.get(memberAnswered)?.(request, balancer, member, timedOut)
    request.status = status
    return outcome
  }
}

function mayBeRepeated({ method, headersIn }: Request): boolean {
  const hasBody = headersIn.has('Transfer-Encoding') || Number(headersIn.get('Content-Length') ?? 0) > 0
  return SAFE_METHODS.has(method) && !hasBody
}
