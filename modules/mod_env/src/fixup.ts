import { DECLINED, type Outcome, type Request } from '@gatewright/api'
import type { EnvConfig } from './config.ts'

/**
 * Exports the variables in force to the request. What is there already (from SetEnvIf, say) stays: httpd lays the directory's variables below the
 * request's, so neither SetEnv nor UnsetEnv reaches variables of other modules.
 */
export function exportVariables(request: Request, config: Readonly<EnvConfig>): Outcome {
  const { variables } = config
  for (let i = 0; i < variables.size; i++) {
    const name = variables.name(i)
    if (!request.env.has(name)) request.env.set(name, variables.value(i))
  }
  return DECLINED
}
