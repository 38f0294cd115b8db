import type { Condition, Text } from '@gatewright/api'

/** A part of a value: a text, or what the condition captured under a number. */
export type ValuePart = Text | number

/** One ProxyFCGISetEnvIf line. */
export interface VariableRule {
  readonly condition: Condition
  readonly name: string
  /** Null to remove the variable; empty for an empty value. */
  readonly value: readonly ValuePart[] | null
}

/** The settings of a section. */
export interface FcgiConfig {
  /** ProxyFCGIBackendType. */
  backendType?: 'fpm' | 'generic'
  /** In the order of the lines, those of outer sections first. */
  rules: readonly VariableRule[]
}

export function createFcgiConfig(): FcgiConfig {
  return { rules: [] }
}

export function mergeFcgiConfig(base: Readonly<FcgiConfig>, over: Readonly<FcgiConfig>): FcgiConfig {
  return {
    backendType: over.backendType ?? base.backendType,
    rules: base.rules.length === 0 ? over.rules : over.rules.length === 0 ? base.rules : [...base.rules, ...over.rules],
  }
}
