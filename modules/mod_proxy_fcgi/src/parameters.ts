import {
  type HostServices,
  isExpressionError,
  type ModuleLog,
  type ProxyPassing,
  type Request,
  type Table,
} from '@gatewright/api'
import type { FcgiConfig, VariableRule } from './config.ts'
import { pathOf, splitAtFile } from './path-info.ts'

/** What the parameters are made of. */
export interface ParameterParts {
  readonly services: HostServices
  readonly log: ModuleLog
  readonly config: Readonly<FcgiConfig>
  /** Bytes of a body that was read whole; null if it follows or if there is none. */
  readonly bodyLength: number | null
}

/**
 * The parameters of a request, as httpd sends them. PHP-FPM removes the scheme and the host from SCRIPT_FILENAME itself, and
 * finds PATH_INFO in it if there is none.
 * @returns null if an expression failed, after it was logged
 */
export function parametersOf(passing: ProxyPassing, parts: ParameterParts): Table | null {
  const { request, url } = passing
  const { services, config, bodyLength } = parts
  // Set before the variables are made: httpd sends it as one of them, for a backend without a worker of its own.
  if (passing.worker.section === null) request.env.set('proxy-nokeepalive', '1')
  const file = splitAtFile(request, url)
  const variables = services.cgiVariables(request)
  const generic = config.backendType === 'generic'
  variables.set('SCRIPT_FILENAME', file ?? (generic ? pathOf(url) : `proxy:${url}`))
  if (bodyLength !== null) {
    variables.set('CONTENT_LENGTH', String(bodyLength))
    variables.unset('HTTP_TRANSFER_ENCODING')
  }
  if (config.rules.length === 0) return variables
  return applyRules(request, variables, config.rules, parts.log)
}

/** ProxyFCGISetEnvIf: later lines see what earlier ones have set. */
function applyRules(request: Request, variables: Table, rules: readonly VariableRule[], log: ModuleLog): Table | null {
  for (const { condition, name, value } of rules) {
    // Expressions read variables from the environment of the request.
    for (const [key, text] of variables) request.env.set(key, text)
    try {
      const groups = condition.match(request)
      if (groups === null) continue
      if (value === null) {
        variables.unset(name)
        request.env.unset(name)
        continue
      }
      let text = ''
      for (const part of value) text += typeof part === 'number' ? (groups[part] ?? '') : part.of(request)
      variables.set(name, text)
    } catch (error) {
      if (!isExpressionError(error)) throw error
      log.write(request, 'error', 'AH10241', `Condition eval returned: ${error.message}`)
      return null
    }
  }
  return variables
}
