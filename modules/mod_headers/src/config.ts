import { readsServerLoad } from './format.ts'
import type { Rule, RuleSet, RuleTarget } from './rule.ts'
import { touchesWritersFields } from './writers-fields.ts'

/** The rules of one scope. */
export interface HeadersConfig extends RuleSet {
  /**
   * Rules with `early`, applied after the request has been read. Only rules of servers, because sections are
   * not known at that time.
   */
  readonly early: RuleSet
  /** True if a value prints how busy the server is, which must be requested in advance. */
  readsLoad: boolean
  /** True if a rule may set a field that the host writes itself. */
  touchesWritersFields: boolean
}

export function createHeadersConfig(): HeadersConfig {
  return {
    request: [],
    onSuccess: [],
    always: [],
    early: { request: [], onSuccess: [], always: [] },
    readsLoad: false,
    touchesWritersFields: false,
  }
}

/** Rules of outer sections are applied first. */
export function mergeHeadersConfig(base: Readonly<HeadersConfig>, over: Readonly<HeadersConfig>): HeadersConfig {
  return {
    ...mergeRules(base, over),
    early: mergeRules(base.early, over.early),
    readsLoad: base.readsLoad || over.readsLoad,
    touchesWritersFields: base.touchesWritersFields || over.touchesWritersFields,
  }
}

/** Adds a rule after the others of its kind. */
export function addRule(config: HeadersConfig, target: RuleTarget, time: 'early' | 'normal', rule: Rule): void {
  const rules = time === 'early' ? config.early : config
  rules[target].push(rule)
  if ('value' in rule && typeof rule.value === 'object' && 'format' in rule.value && readsServerLoad(rule.value.format)) {
    config.readsLoad = true
  }
  if (target !== 'request' && touchesWritersFields(rule)) config.touchesWritersFields = true
}

function mergeRules(base: RuleSet, over: RuleSet): RuleSet {
  return {
    request: append(base.request, over.request),
    onSuccess: append(base.onSuccess, over.onSuccess),
    always: append(base.always, over.always),
  }
}

function append(base: Rule[], over: Rule[]): Rule[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...base, ...over]
}
