import type { InjectedResponse, InjectOptions, TestServer } from '@gatewright/core'
import { busyLoop } from './busy-loop.ts'
import { servedMeanwhile } from './served-meanwhile.ts'
import type { SiteOptions } from './site.ts'

export interface LongWork {
  /** The response of a server that needs no second time slice. */
  readonly expected: InjectedResponse
  /** The response of a server that yields as often as it can. */
  readonly answer: InjectedResponse
  /** Statuses of the other requests that the second server answered before. */
  readonly served: readonly number[]
}

/**
 * Sends a request that requires long computation to two servers.
 * @param start starts a server with these options and those of the test
 * @param other the target of the other requests
 */
export async function longWork(
  start: (more: Pick<SiteOptions, 'config' | 'loopClock'>) => Promise<TestServer>,
  request: InjectOptions | string,
  other: string,
): Promise<LongWork> {
  const expected = await (await start({})).inject(request)
  const server = await start({ loopClock: busyLoop(), config: 'LimitComputingTime unlimited' })
  const long = server.inject(request)
  const served = await servedMeanwhile(server, long, other)
  return { expected, served, answer: await long }
}
