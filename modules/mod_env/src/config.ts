import { Table } from '@gatewright/api'

/** What one scope says about the environment. Names compare without regard to case, as httpd's tables do. */
export interface EnvConfig {
  /** Variables set by SetEnv and PassEnv. */
  readonly variables: Table
  /** Names that UnsetEnv takes away from what outer scopes set. */
  readonly unset: Set<string>
}

export function createEnvConfig(): EnvConfig {
  return { variables: new Table(), unset: new Set() }
}

/** Takes away first, then sets: so a name that a scope unsets and sets again is set. Unset names are kept, which makes the merge associative. */
export function mergeEnvConfig(base: Readonly<EnvConfig>, over: Readonly<EnvConfig>): EnvConfig {
  const variables = new Table()
  for (const [name, value] of base.variables) variables.set(name, value)
  for (const name of over.unset) variables.unset(name)
  for (const [name, value] of over.variables) variables.set(name, value)
  return { variables, unset: new Set([...base.unset, ...over.unset]) }
}
