import type { Command } from '@gatewright/api'
import { Balancer, balancerOf, setBalancerParameter } from '../workers/balancer.ts'
import type { ServerWorkers } from '../workers/server-workers.ts'

/** The balancer of a URL, which is created if no line has named it before. */
export function defineBalancer(workers: ServerWorkers, url: string, { section }: Command): Balancer {
  const known = workers.balancer(url)
  if (known !== null) return known
  const balancer = new Balancer(balancerOf(url), section)
  workers.balancers.push(balancer)
  return balancer
}

/** What is wrong with the name of a balancer; as in httpd, it can have any scheme. */
export function wrongBalancerName(url: string): string | undefined {
  return /^[^:]*:\/\/./s.test(url) ? undefined : `Bad syntax for a balancer name (${url})`
}

/** Sets parameters; the first that is wrong is described. */
export function setBalancerParameters(
  balancer: Balancer,
  parameters: readonly (readonly [name: string, value: string])[],
  command: Command,
): string | undefined {
  const methods = command.services.providers.proxyBalancerMethods.names()
  for (const [name, value] of parameters) {
    const problem = setBalancerParameter(balancer, name, value, methods)
    if (problem !== undefined) return problem
  }
  return undefined
}
