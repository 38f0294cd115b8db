import { type FromReader, ownMessage, type ReadOrder, type ReadResult } from '../roles/messages.ts'
import { describeEnd, RoleProcess } from '../roles/role-process.ts'
import { type RoleSpawn, spawnRole } from '../roles/role-spawn.ts'
import type { StartOptions } from '../start/start-options.ts'

/** A configuration that is being read in a process of its own. */
export interface Reading {
  /** Never rejects: a reader that ends without a result has failed, and what it was loading is told. */
  readonly result: Promise<ReadResult>
  cancel(): void
}

/** A reader that has not come to an end after this (ms) never will: a module that loops while it is loaded. */
const DEADLINE = 60_000

export function readInChild(call: RoleSpawn, start: StartOptions): Reading {
  let loading: string | null = null
  let result: ReadResult | null = null
  const reader = new RoleProcess(spawnRole(call), (raw) => {
    const message = ownMessage<FromReader>(raw, { loading: true, result: true })
    if (message?.type === 'loading') loading = message.file
    else if (message?.type === 'result') result = message.result
  })
  const order: ReadOrder = { type: 'read', start }
  reader.send(order)
  const deadline = setTimeout(() => reader.kill(), DEADLINE)
  return {
    result: reader.end.then((end) => {
      clearTimeout(deadline)
      const place = loading === null ? '' : `, while loading ${loading}`
      return (
        result ?? {
          good: false,
          lines: [`the configuration could not be read: its reader ended with ${describeEnd(end)}${place}`],
          reports: [],
        }
      )
    }),
    cancel: () => reader.kill(),
  }
}
