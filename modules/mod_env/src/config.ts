import { Table } from '@gatewright/api'

/** Environment variables of one scope. As in httpd's tables, the case of names is ignored. */
export interface EnvConfig {
  /** Variables set by SetEnv and PassEnv. */
  readonly variables: Table
  /** Names from outer scopes that UnsetEnv removes. */
  readonly unset: Set<string>
}

export function createEnvConfig(): EnvConfig {
  return { variables: new Table(), unset: new Set() }
}

/**
 * Removes names first and sets the others then, so a name that a scope unsets and sets again is set. Removed
 * names are kept, which makes the merge associative.
 */
export function mergeEnvConfig(base: Readonly<EnvConfig>, over: Readonly<EnvConfig>): EnvConfig {
  const variables = new Table()
  for (const [name, value] of base.variables) variables.set(name, value)
  for (const name of over.unset) variables.unset(name)
  for (const [name, value] of over.variables) variables.set(name, value)
  return { variables, unset: new Set([...base.unset, ...over.unset]) }
}
