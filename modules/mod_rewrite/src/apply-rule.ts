import type { ModuleLog } from '@gatewright/api'
import { authorityOf, schemeOf } from './absolute-url.ts'
import type { RewriteCondition } from './condition.ts'
import { setCookies, setVariables } from './environment.ts'
import { expand, expandPart } from './expand.ts'
import { recordType } from './forced-type.ts'
import { takeQuery } from './query.ts'
import type { RewriteRule } from './rule.ts'
import { joined, NO_GROUPS, type Run } from './run.ts'
import { testCondition } from './test-condition.ts'

/** The result of a rule; `waiting` if the rule must be tried again after {@link Run.waiting} has settled. */
export type RuleResult = 'noMatch' | 'match' | 'noSubstitution' | 'refused' | 'waiting'

/** What applying rules needs from the server, apart from the run. */
export interface RuleServer {
  readonly log: ModuleLog
  /** Whether this host and port belong to the request's server. */
  isOwn(run: Run, host: string, port: number | null): boolean
}

/**
 * Applies one rule: its pattern, conditions and substitution, and those of its flags that act immediately.
 */
export function applyRule(run: Run, rule: RewriteRule, server: RuleServer): RuleResult {
  const { request, trace, directory } = run
  run.uri = patternInput(run)
  if (!run.resumed) trace?.write(3, directory, `applying pattern '${rule.source}' to uri '${run.uri}'`)
  if (!matches(run, rule)) return 'noMatch'
  if (run.conditionsTested === 0) {
    run.ruleVary = ''
    run.conditionGroups = NO_GROUPS
  }
  const holds = conditionsHold(run, rule.conditions)
  if (run.waiting !== null) return 'waiting'
  if (!holds) return 'noMatch'
  if (rule.substitution === null) return withoutSubstitution(run, rule)
  const expanded = expand(run, rule.substitution, rule.escaping)
  if (run.waiting !== null) return 'waiting'
  trace?.write(2, directory, `rewrite '${run.uri}' -> '${expanded}'`)
  if (!rule.unsafeQuestionMark && movesQuestionMark(run, rule, expanded)) {
    server.log.write(request, 'error', 'AH10508', 'Unsafe URL with %3f URL rewritten without UnsafeAllow3F')
    request.status = 403
    return 'refused'
  }
  setVariables(run, rule)
  setCookies(run, rule)
  if (run.waiting !== null) return 'waiting'
  request.filename = prefixed(run, rule, expanded)
  if (rule.discardPathInfo) request.pathInfo = ''
  takeQuery(run, request, rule)
  if (rule.proxy) {
    qualify(run)
    trace?.write(2, directory, `forcing proxy-throughput with ${request.filename}`)
    request.filename = `proxy:${request.filename}`
    return 'match'
  }
  if (rule.answer === 'redirect') {
    qualify(run)
    trace?.write(2, directory, `explicitly forcing redirect with ${request.filename}`)
    request.status = rule.status
    return 'match'
  }
  reduceToPath(run, server)
  if (schemeOf(request.filename) !== null) {
    trace?.write(2, directory, `implicitly forcing redirect (rc=${rule.status} with ${request.filename}`)
    request.status = rule.status
    return 'match'
  }
  request.filename = oneSlash(rule, request.filename)
  recordType(run, rule)
  return run.waiting === null ? 'match' : 'waiting'
}

/** Cost of a condition, which may inspect a file or a long text. */
const STEPS_OF_A_CONDITION = 8

/** In a directory, patterns are applied to the path below it, path info included. */
function patternInput({ request, directory, trace }: Run): string {
  if (directory === null) return request.filename
  let uri = request.filename
  if (request.pathInfo !== '') {
    trace?.write(3, directory, `add path info postfix: ${uri} -> ${uri}${request.pathInfo}`)
    uri += request.pathInfo
  }
  if (!uri.startsWith(directory)) return uri
  const rest = uri.slice(directory.length)
  trace?.write(3, directory, `strip per-dir prefix: ${uri} -> ${rest}`)
  return rest
}

function matches(run: Run, { pattern, negated }: RewriteRule): boolean {
  run.ruleGroups = NO_GROUPS
  if (negated) return !pattern.test(run.uri)
  const groups = pattern.match(run.uri)
  if (groups === null) return false
  run.ruleGroups = groups
  return true
}

function conditionsHold(run: Run, conditions: readonly RewriteCondition[]): boolean {
  for (let index = run.conditionsTested; index < conditions.length; index++) {
    run.conditionsTested = index
    const holds = !run.givesWay(STEPS_OF_A_CONDITION) && testCondition(run, conditions[index])
    if (run.waiting !== null) return false
    if (conditions[index].orNext) {
      if (!holds) run.conditionVary = ''
      // One alternative holds, so the others are skipped.
      else while (index < conditions.length && conditions[index].orNext) index++
    } else if (!holds) return false
    if (run.conditionVary !== '') run.ruleVary = joined(run.ruleVary, run.conditionVary)
  }
  run.conditionsTested = conditions.length
  return true
}

function withoutSubstitution(run: Run, rule: RewriteRule): RuleResult {
  setVariables(run, rule)
  setCookies(run, rule)
  recordType(run, rule)
  if (run.waiting !== null) return 'waiting'
  if (rule.answer === 'status') {
    run.trace?.write(2, run.directory, `forcing responsecode ${rule.status} for ${run.request.filename}`)
    run.request.status = rule.status
  }
  return 'noSubstitution'
}

/**
 * True if a reference inserts a question mark, encoded by the client, that would begin the query. The path
 * before it would not be the path that the client requested.
 */
function movesQuestionMark(run: Run, { substitution, escaping, query }: RewriteRule, expanded: string): boolean {
  if (substitution === null || !expanded.includes('?')) return false
  const parts = query.last ? substitution.parts.toReversed() : substitution.parts
  for (const part of parts) {
    if (typeof part === 'string') {
      if (part.includes('?')) return false
    } else if (expandPart(run, part, escaping).includes('?')) return true
  }
  return false
}

/**
 * Reduces several slashes at the start of a path to one, unless the rule's own text contains them or the rule
 * has flag UNC.
 */
function oneSlash({ substitution, keepSlashes }: RewriteRule, uri: string): string {
  if (!uri.startsWith('//') || keepSlashes || substitution?.source.startsWith('//') === true) return uri
  return uri.replace(/^\/+/, '/')
}

/**
 * Makes a relative result absolute: in a directory by its prefix, in a server by a slash, so that it cannot
 * become a URL.
 */
function prefixed({ directory, trace }: Run, rule: RewriteRule, uri: string): string {
  if (uri.startsWith('/') || schemeOf(uri) !== null) return uri
  if (directory !== null) {
    trace?.write(3, directory, `add per-dir prefix: ${uri} -> ${directory}${uri}`)
    return directory + uri
  }
  if (rule.proxy || rule.answer === 'redirect') return uri
  trace?.write(3, null, `add root prefix: ${uri} -> /${uri}`)
  return `/${uri}`
}

/** Reduces a URL of this server to its path. */
function reduceToPath(run: Run, server: RuleServer): void {
  const { request } = run
  const own = authorityOf(request.filename, request.scheme)
  if (own === null || !server.isOwn(run, own.host, own.port)) return
  run.trace?.write(3, null, `reduce ${request.filename} -> ${own.path}`)
  request.filename = own.path
  request.notes.set(REDUCED_NOTE, 'true')
}

/** Set if a URL of this server was reduced to a path. Such a path is not one of the file system. */
export const REDUCED_NOTE = 'mod_rewrite_uri_reduced'

function qualify({ request }: Run): void {
  if (request.method === 'CONNECT' || schemeOf(request.filename) !== null) return
  const path = request.filename
  request.filename = request.absoluteUrl(path.startsWith('/') ? path : `/${path}`)
}
