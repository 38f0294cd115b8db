import type { ProxyPassing } from '@gatewright/api'
import { hostOf, type UpstreamTarget } from '@gatewright/upstream'

/** Name and port of the backend, for messages. */
export function backendName(passing: ProxyPassing, target: UpstreamTarget): string {
  return 'path' in target
    ? `${hostOf(passing)}:${passing.worker.port === 0 ? 80 : passing.worker.port}`
    : `${target.host}:${target.port}`
}
