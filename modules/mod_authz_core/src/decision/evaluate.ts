import type { AuthzStatus, DirectivePlace, MaybePromise, Request } from '@gatewright/api'
import { joinedChildren } from './join.ts'
import type { DecisionNode, Group, RequireTerm, Rule } from './node.ts'
import type { Tracer } from './tracer.ts'

/** Cost of a check. An expression may inspect files, so the clock is read after a few checks. */
const STEPS_OF_A_CHECK = 8

/**
 * Evaluates a Require tree for a request: in file order, with early stop. Synchronous and free of
 * allocations, unless a check returns a promise or the tree is so long that other requests are served in
 * between. A general error ends the evaluation.
 * @param within the rule of the container around the node; the root of a section counts as a child of an
 * `all`
 */
export function evaluate(
  node: DecisionNode,
  request: Request,
  tracer: Tracer | null,
  within: Rule = 'all',
): MaybePromise<AuthzStatus> {
  if (!node.methods.has(request.methodNumber)) {
    const status = within === 'all' ? 'granted' : 'neutral'
    if (tracer !== null) tracer.limited(request, node, status)
    return status
  }
  if (node.kind === 'group') return evaluateFrom(node, 0, 'neutral', request, tracer)
  let status: MaybePromise<AuthzStatus>
  try {
    status = node.check(request)
  } catch (error) {
    request.occupation = node.description
    throw error
  }
  return typeof status === 'string' ? settle(node, status, request, tracer) : settleLater(node, status, request, tracer)
}

function evaluateFrom(
  group: Group,
  first: number,
  soFar: AuthzStatus,
  request: Request,
  tracer: Tracer | null,
): MaybePromise<AuthzStatus> {
  const { rule } = group
  // A tracer sees every line.
  const children = tracer === null ? joinedChildren(group) : group.children
  let value = soFar
  for (let index = first; index < children.length; index++) {
    const child = children[index]
    // The first child is free, like its container: a tree is charged for all checks but one, and a single
    // `Require` not at all.
    const status =
      index > 0 && request.work.spend(STEPS_OF_A_CHECK)
        ? evaluateLater(child, request, tracer, rule)
        : evaluate(child, request, tracer, rule)
    if (typeof status !== 'string') return resumeLater(group, index, value, status, request, tracer)
    if (status === 'general-error') return status
    value = combine(rule, value, status)
    if (isFinal(rule, value)) break
  }
  return settle(group, value, request, tracer)
}

/**
 * Yields to other requests first. If the request has used up its computing time, the promise is rejected,
 * which leads to a 500.
 */
async function evaluateLater(node: DecisionNode, request: Request, tracer: Tracer | null, within: Rule): Promise<AuthzStatus> {
  await request.work.pause(directiveOf(node))
  return evaluate(node, request, tracer, within)
}

function directiveOf({ kind, title, place: { file, line } }: DecisionNode): DirectivePlace {
  return { name: kind === 'group' ? title : 'Require', file, line }
}

async function settleLater(
  node: RequireTerm,
  pending: Promise<AuthzStatus>,
  request: Request,
  tracer: Tracer | null,
): Promise<AuthzStatus> {
  // If it fails or never settles, the log names the line.
  request.occupation = node.description
  const status = await pending
  request.occupation = null
  return settle(node, status, request, tracer)
}

async function resumeLater(
  group: Group,
  index: number,
  soFar: AuthzStatus,
  pending: Promise<AuthzStatus>,
  request: Request,
  tracer: Tracer | null,
): Promise<AuthzStatus> {
  const status = await pending
  if (status === 'general-error') return status
  const value = combine(group.rule, soFar, status)
  if (isFinal(group.rule, value)) return settle(group, value, request, tracer)
  return evaluateFrom(group, index + 1, value, request, tracer)
}

/** Whether no later child can change the value. */
function isFinal(rule: Rule, value: AuthzStatus): boolean {
  return value === (rule === 'all' ? 'denied' : 'granted')
}

/** The value of a container after one more child; the order of the children does not matter. */
function combine(rule: Rule, soFar: AuthzStatus, status: AuthzStatus): AuthzStatus {
  if (soFar === 'neutral') return status
  if (status === 'neutral') return soFar
  const strongest = rule === 'all' ? 'denied' : 'granted'
  if (status === strongest) return status
  return soFar === 'denied-no-user' ? soFar : status === 'denied-no-user' ? status : soFar
}

/**
 * A negation can veto, but never grants and never requires a user.
 * @throws TypeError if a provider returned something that is not a status: the request is a 500, and the log names the line
 */
function settle(node: DecisionNode, status: AuthzStatus, request: Request, tracer: Tracer | null): AuthzStatus {
  let value: AuthzStatus
  switch (status) {
    case 'granted':
      value = node.negated ? 'denied' : status
      break
    case 'denied':
    case 'denied-no-user':
      value = node.negated ? 'neutral' : status
      break
    case 'neutral':
    case 'general-error':
      value = status
      break
    default:
      throw notAStatus(node, status)
  }
  if (tracer !== null) tracer.evaluated(request, node, value)
  return value
}

function notAStatus(node: DecisionNode, status: never): TypeError {
  const name = node.kind === 'group' ? node.title : node.description
  return new TypeError(`the check of ${name} returned ${String(status)}, which is not an authorization status`)
}
