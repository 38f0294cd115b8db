import type { Command } from '@gatewright/api'
import type { Worker } from '../workers/worker.ts'
import { setWorkerParameter, UNKNOWN_PARAMETER } from '../workers/worker-parameters.ts'

/** Sets a parameter that this module or another one knows. @returns what is wrong with it */
export function setParameter(worker: Worker, name: string, value: string, command: Command): string | undefined {
  const problem = setWorkerParameter(worker.parameters, name, value)
  if (problem !== UNKNOWN_PARAMETER) return problem
  const other = command.services.providers.proxyWorkerParameters.get(name)
  if (other !== undefined) return other.set(worker, value, command)
  return command.services.moduleLoaded('mod_proxy_hcheck.c') ? 'unknown Worker hcheck parameter' : problem
}
