import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  httpStatus,
  isExpressionError,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { escapeUriPath, fillTemplate, matchUrlPrefix } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { AliasConfig, SectionRedirect } from './config.ts'
import type { RedirectMessages } from './messages.ts'
import { isRedirection, type RedirectRule } from './redirect-rule.ts'
import { escapeTarget, hasControlCharacter, isUrl } from './redirect-target.ts'

/** Cost of a pattern, which is compiled on first use. */
const STEPS_OF_A_PATTERN = 8

/**
 * Responds with the first redirect that matches, or DECLINED. The form without a path takes precedence over
 * the list. Returns a promise only if the list is so long that other requests are served in between.
 */
export function tryRedirects(
  request: Request,
  config: Readonly<AliasConfig>,
  rules: readonly RedirectRule[],
  log: ModuleLog,
  messages: RedirectMessages,
): MaybePromise<Outcome> {
  if (config.redirect !== undefined) {
    const target = sectionTarget(request, config.redirect, log)
    return target === null ? HTTP_INTERNAL_SERVER_ERROR : answer(request, config, config.redirect, target, log, messages)
  }
  return tryRules(request, config, rules, log, messages, 0)
}

/** Tries the rules from index `first` on. */
function tryRules(
  request: Request,
  config: Readonly<AliasConfig>,
  rules: readonly RedirectRule[],
  log: ModuleLog,
  messages: RedirectMessages,
  first: number,
): MaybePromise<Outcome> {
  const { work } = request
  for (let index = first; index < rules.length; index++) {
    const rule = rules[index]
    if (work.spend(rule.kind === 'pattern' ? STEPS_OF_A_PATTERN : 1)) {
      return work.pause(rule.place).then(() => tryRules(request, config, rules, log, messages, index))
    }
    const target = ruleTarget(request.uri, rule)
    if (target !== null) return answer(request, config, rule, target, log, messages)
  }
  return DECLINED
}

function ruleTarget(uri: string, rule: RedirectRule): string | null {
  if (rule.kind === 'pattern') {
    const groups = rule.pattern.match(uri)
    return groups === null ? null : escapeTarget(fillTemplate(rule.target, groups))
  }
  const length = matchUrlPrefix(uri, rule.prefix)
  return length === 0 ? null : rule.target + escapeUriPath(uri.slice(length))
}

/** null if the expression cannot be evaluated. */
function sectionTarget(request: Request, redirect: SectionRedirect, log: ModuleLog): string | null {
  if (redirect.target === null) return ''
  try {
    return escapeTarget(redirect.target.of(request))
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', 'AH02826', `Can't evaluate redirect expression: ${error.message}`)
    return null
  }
}

function answer(
  request: Request,
  config: Readonly<AliasConfig>,
  { status, place }: Pick<RedirectRule, 'status' | 'place'>,
  target: string,
  log: ModuleLog,
  messages: RedirectMessages,
): Outcome {
  if (request.tracer !== null)
    traceDirective(request, place.name, place, isRedirection(status) ? `redirects to ${target} (${status})` : `answers ${status}`)
  if (!isRedirection(status)) return statusOutcome(request, status, log)
  const location = completed(request, config, target, log, messages)
  if (location === null) return HTTP_INTERNAL_SERVER_ERROR
  // A query in the target replaces that of the request.
  const whole = request.args !== null && !location.includes('?') ? `${location}?${request.args}` : location
  if (hasControlCharacter(whole)) {
    log.write(
      request,
      'error',
      'AH02430',
      `Response header 'Location' value of '${whole}' contains invalid characters, aborting request`,
    )
    return HTTP_INTERNAL_SERVER_ERROR
  }
  request.headersOut.set('Location', whole)
  return statusOutcome(request, status, log)
}

/** The target as sent: a path becomes a URL of this server unless RedirectRelative is On. */
function completed(
  request: Request,
  config: Readonly<AliasConfig>,
  target: string,
  log: ModuleLog,
  messages: RedirectMessages,
): string | null {
  if (target.startsWith('/')) {
    if (config.relativeRedirects === true) return target
    const url = request.absoluteUrl(target)
    if (log.enabled(request, 'debug')) {
      const text = `incomplete redirection target of '${target}' for URI '${request.uri}' modified to '${url}'`
      log.write(request, 'debug', messages.completed, text)
    }
    return url
  }
  if (isUrl(target)) return target
  const text = `cannot redirect '${request.uri}' to '${target}'; target is not a valid absoluteURI or abs_path`
  log.write(request, 'error', messages.invalid, text)
  return null
}

/** As in httpd, Redirect accepts any number as its status, and an invalid one fails when it is used. */
function statusOutcome(request: Request, status: number, log: ModuleLog): Outcome {
  if (status >= 100 && status <= 599) return httpStatus(status)
  log.write(request, 'error', 'AH01579', `Invalid response status ${status}`)
  return HTTP_INTERNAL_SERVER_ERROR
}
