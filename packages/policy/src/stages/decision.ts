import { type AuthzStatus, DECLINED, OK, type Outcome } from '@gatewright/api'
import type { AccessPhase, HostDecision } from '@gatewright/api/tracing'
import type { Access, Rule, RuleName } from '../explanation.ts'
import type { RecordedRequest } from '../recorder.ts'

/**
 * The decision of access control about a request, and the rule that made it.
 * @param status of the answer, if access control was not reached
 */
export function decisionOf(
  { request, steps }: RecordedRequest,
  status: number,
): { readonly access: Access; readonly rule: Rule } {
  const reported = steps.map(({ step }) => step)
  const host = reported.find((step) => step.kind === 'host rules')?.decision ?? null
  const answer = reported.findLast((step) => step.kind === 'require') ?? null
  const phase = reported.findLast((step) => step.kind === 'phase') ?? null
  if (reported.some(({ kind }) => kind === 'decided before')) return granted(rule('decided before'))
  if (phase === null) return { access: 'not reached', rule: rule('answered earlier', status) }
  const access = accessOf(phase.phase, phase.outcome, host)
  const by = (name: RuleName, ...words: (string | number)[]): { access: Access; rule: Rule } => ({
    access,
    rule: rule(name, ...words),
  })

  if (phase.phase === 'accessChecker') {
    if (access === 'failed') return by('error', phase.outcome)
    if (access === 'granted') return by('satisfy any: host rules admit')
    return host === null || host.allowed ? by('a module refuses', phase.outcome) : by('host rules refuse')
  }
  if (reported.some(({ kind }) => kind === 'require set aside'))
    return by('host rules stand alone', host?.allowed ? 'admit' : 'refuse')
  const beside = host === null ? '' : besideHost(host)
  if (phase.phase === 'checkUserId')
    return by('authentication', access, request.headersIn.has('authorization') ? 'sent' : 'none', beside)
  if (answer === null) return by('error', phase.outcome)
  if (answer.root === null) return access === 'granted' ? by('nothing applies', beside) : by('AuthType without Require')
  if (answer.status === 'general-error') return by('error', phase.outcome)
  if (access === 'granted') return by('require grants', answer.moment, beside)
  return by('require denies', DENIALS[answer.status] ?? 'denies', answer.moment, phase.outcome, beside)
}

function granted(by: Rule): { readonly access: Access; readonly rule: Rule } {
  return { access: 'granted', rule: by }
}

function accessOf(phase: AccessPhase, outcome: Outcome, host: HostDecision | null): Access {
  if (outcome === OK || (phase === 'forceAuthn' && outcome === DECLINED)) return 'granted'
  if (phase === 'accessChecker' && host?.satisfy === 'any' && outcome === 403) return 'granted'
  switch (outcome) {
    case 401:
    case 407:
      return 'challenged'
    case 403:
      return 'refused'
    default:
      return 'failed'
  }
}

const DENIALS: Partial<Record<AuthzStatus, string>> = {
  denied: 'denies',
  neutral: 'is neither granted nor denied, which counts as denied',
  'denied-no-user': 'still requires a user',
}

/** The contribution of host rules to a decision that Require made in the end. */
function besideHost({ satisfy, allowed }: HostDecision): string {
  if (satisfy === 'any' && !allowed)
    return ' The host rules deny this client, but with Satisfy Any the decision is left to Require.'
  return allowed ? ' The host rules allow this client; with Satisfy All both must grant the request.' : ''
}

function rule(name: RuleName, ...words: (string | number)[]): Rule {
  return { name, text: TEXTS[name](words.map(String)) }
}

const TEXTS: Readonly<Record<RuleName, (words: readonly string[]) => string>> = {
  'answered earlier': ([status]) => `The request was answered with ${status} before access control ran.`,
  'decided before': () =>
    'Not authorized again: it has the configuration of the request that led to it, and shares its decision.',
  'nothing applies': ([beside]) => `No Require directive applies and no AuthType is set: granted.${beside}`,
  'AuthType without Require': () =>
    'AuthType is set, but no Require directive applies: the server treats this as a mistake and serves nothing.',
  'a module refuses': ([outcome]) =>
    `A module refuses this request before Require is evaluated: ${outcome}. See the log for the reason.`,
  'host rules refuse': () =>
    'Order, Allow and Deny deny this client, and with Satisfy All (the default) that is final: Require and credentials are not evaluated.',
  'satisfy any: host rules admit': () =>
    'Order, Allow and Deny allow this client, and with Satisfy Any one of the two is sufficient: Require and credentials are not evaluated.',
  'host rules stand alone': ([verb]) =>
    `Order, Allow and Deny ${verb} this client, and they alone decide: they are in a section for URLs, which replaces those Require directives of sections for folders that depend only on the client's host (AccessCompatPrecedence manual).`,
  'require grants': ([moment, beside]) =>
    moment === 'before authentication'
      ? `Require grants this request without a user: credentials are not evaluated.${beside}`
      : `Require grants this request to the authenticated user.${beside}`,
  'require denies': ([verb, moment, outcome, beside]) =>
    moment === 'before authentication'
      ? `Require ${verb}, and no user can change that: the server answers ${outcome} immediately and does not request credentials.${beside}`
      : `Require ${verb} for the authenticated user: ${outcome}${outcome === '403' ? ' (AuthzSendForbiddenOnFailure)' : ', other credentials might succeed'}.${beside}`,
  authentication: ([how, sent, beside]) =>
    how === 'challenged'
      ? `Require needs a user, and ${sent === 'sent' ? 'the credentials that were sent are not accepted' : 'no credentials were sent'}: the server requests ${sent === 'sent' ? 'other ' : ''}credentials.${beside}`
      : `Require needs a user, and authentication ${how === 'refused' ? 'refuses' : 'does not work'} here.${beside}`,
  error: ([status]) => `Access control could not decide; nothing is served (${status}). See the log for the reason.`,
}
