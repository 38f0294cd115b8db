import { type FromReader, ownMessage, type ReadOrder, type ReadResult } from '../roles/messages.ts'
import { describeEnd, type ProcessEnd, RoleProcess } from '../roles/role-process.ts'
import { type RoleSpawn, spawnRole } from '../roles/role-spawn.ts'
import type { StartOptions } from '../start/start-options.ts'
import { busyPlace } from './busy-place.ts'
import type { HeartbeatLimits } from './heartbeat-watch.ts'

/** A configuration that a separate process is reading. */
export interface Reading {
  /**
   * Never rejects: a reader that ends without a result has failed, and the module that it was loading is
   * reported.
   */
  readonly result: Promise<ReadResult>
  cancel(): void
}

export interface ReadingOptions {
  readonly call: RoleSpawn
  readonly start: StartOptions
  /**
   * The limits of workers that load: a reader that takes longer will never finish, because a module loops
   * during its load.
   */
  readonly limits: HeartbeatLimits
  /** Given each line that the reader prints as an error. */
  readonly onErrorLine: (line: string) => void
}

export function readInChild({ call, start, limits, onErrorLine }: ReadingOptions): Reading {
  let loading: string | null = null
  let result: ReadResult | null = null
  let isLate = false
  const hear = (raw: unknown): void => {
    const message = ownMessage<FromReader>(raw, { loading: true, result: true })
    if (message?.type === 'loading') loading = message.file
    else if (message?.type === 'result') result = message.result
  }
  const reader = new RoleProcess(spawnRole(call), { message: hear, error: onErrorLine })
  const order: ReadOrder = { type: 'read', start }
  reader.send(order)
  const deadline = setTimeout(() => {
    isLate = true
    reader.interrupt()
    setTimeout(() => reader.kill(), limits.lastWords).unref()
  }, limits.loading)
  const failure = (end: ProcessEnd): string => {
    const place = loading === null ? '' : `, while loading ${loading}`
    if (!isLate) return `its reader ended with ${describeEnd(end)}${place}`
    return `its reader did not finish within ${Math.round(limits.loading / 1000)} seconds${place}; ${busyPlace(reader.stack)}`
  }
  return {
    result: reader.end.then((end) => {
      clearTimeout(deadline)
      return result ?? { good: false, lines: [`the configuration could not be read: ${failure(end)}`], reports: [] }
    }),
    cancel: () => reader.kill(),
  }
}
