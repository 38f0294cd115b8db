import type { ProcessConfig } from '../model/process-config.ts'

/** The maximum of ServerLimit, as in httpd. */
const MOST = 20_000

/**
 * The number of worker processes: the value of WorkerProcesses if set, otherwise one for each processor and
 * at least StartServers. A ServerLimit in the configuration limits both.
 *
 * httpd starts StartServers processes and adds more on demand; distributions set small numbers there, which
 * must not keep a server from using its processors.
 * @param processors that this process may use
 */
export function workerCount(
  { startServers, workerProcesses, serverLimit, serverLimitGiven }: ProcessConfig,
  processors: number,
): number {
  const wanted = workerProcesses ?? Math.max(startServers ?? 1, processors)
  return Math.max(1, Math.min(wanted, serverLimitGiven ? serverLimit : MOST))
}

/** Explains the number of worker processes if it differs from the configured one; otherwise undefined. */
export function workerCountHint(process: ProcessConfig, processors: number): string | undefined {
  const { startServers, workerProcesses, serverLimit } = process
  const count = workerCount(process, processors)
  const wanted = workerProcesses ?? startServers
  if (wanted === undefined || wanted === count) return undefined
  const name = workerProcesses === undefined ? 'StartServers' : 'WorkerProcesses'
  if (wanted > count) return `${name} ${wanted} is more than ServerLimit ${serverLimit} allows: ${processes(count)} will serve`
  return `StartServers ${wanted} is the least number: ${processes(count)} will serve, one for each processor; WorkerProcesses sets another number`
}

function processes(count: number): string {
  return count === 1 ? '1 worker process' : `${count} worker processes`
}
