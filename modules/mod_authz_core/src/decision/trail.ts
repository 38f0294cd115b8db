import type { AuthzStatus, ModuleLog, Request } from '@gatewright/api'
import type { DecisionNode } from './node.ts'
import type { Tracer } from './tracer.ts'

const SHOWN: Readonly<Record<AuthzStatus, string>> = {
  granted: 'granted',
  denied: 'denied',
  'denied-no-user': 'denied (no authenticated user yet)',
  neutral: 'neutral',
  // As httpd logs it.
  'general-error': 'neutral',
}

/** The decision trail of `LogLevel authz_core:debug`. */
export class Trail implements Tracer {
  readonly #log: ModuleLog

  constructor(log: ModuleLog) {
    this.#log = log
  }

  evaluated(request: Request, node: DecisionNode, status: AuthzStatus): void {
    this.#log.write(request, 'debug', 'AH01626', `authorization result of ${node.title}: ${SHOWN[status]}`)
  }

  limited(request: Request, node: DecisionNode, status: AuthzStatus): void {
    const text = `authorization result of ${node.title}: ${SHOWN[status]} (directive limited to other methods)`
    this.#log.write(request, 'debug', 'AH01625', text)
  }
}
