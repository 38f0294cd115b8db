import type { Request } from '@gatewright/api'
import type { InjectOptions, LoopClock } from '@gatewright/core'
import { requestRecorder } from './request-recorder.ts'
import { type SiteOptions, site } from './site.ts'

/** A time slice that never ends, so that functions do not wait for the next turn. */
const STANDING: LoopClock = { now: () => 0, used: () => 0, nextTurn: (act) => void setImmediate(act) }

/** A request as a server leaves it at its end. For tests of functions that need any request, or one with certain fields. */
export async function servedRequest(request: InjectOptions | string = '/', options: SiteOptions = {}): Promise<Request> {
  const recorder = requestRecorder()
  const server = await site({ loopClock: STANDING, ...options, modules: [recorder.module, ...(options.modules ?? [])] })
  try {
    await server.inject(request)
    return recorder.last
  } finally {
    await server.close()
  }
}
