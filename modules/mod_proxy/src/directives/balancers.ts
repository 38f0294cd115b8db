import type { Command } from '@gatewright/api'
import { Balancer, balancerOf, setBalancerParameter } from '../workers/balancer.ts'
import type { ServerWorkers } from '../workers/server-workers.ts'

const METHODS = ['byrequests', 'bytraffic', 'bybusyness', 'heartbeat'] as const

/** The balancer of a URL, which is created if no line has named it before. */
export function defineBalancer(workers: ServerWorkers, url: string): Balancer {
  const known = workers.balancer(url)
  if (known !== null) return known
  const balancer = new Balancer(balancerOf(url))
  workers.balancers.push(balancer)
  return balancer
}

/** Sets parameters; the first that is wrong is described. */
export function setBalancerParameters(
  balancer: Balancer,
  parameters: readonly (readonly [name: string, value: string])[],
  command: Command,
): string | undefined {
  const methods = METHODS.filter((name) => command.services.moduleLoaded(`mod_lbmethod_${name}.c`))
  for (const [name, value] of parameters) {
    const problem = setBalancerParameter(balancer, name, value, methods)
    if (problem !== undefined) return problem
  }
  return undefined
}
