import { DECLINED, type Outcome, type Request } from '@gatewright/api'
import type { EnvConfig } from './config.ts'

/**
 * Copies the effective variables to the request. As in httpd, existing variables (from SetEnvIf, for example)
 * are kept, so neither SetEnv nor UnsetEnv affects variables of other modules.
 */
export function exportVariables(request: Request, config: Readonly<EnvConfig>): Outcome {
  const { variables } = config
  for (let i = 0; i < variables.size; i++) {
    const name = variables.name(i)
    if (!request.env.has(name)) request.env.set(name, variables.value(i))
  }
  return DECLINED
}
