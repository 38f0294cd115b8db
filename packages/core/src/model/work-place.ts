import type { ServerRecord } from './server-record.ts'

/**
 * A slot for one active request, as status pages show it; the last request remains visible. Times are
 * microseconds of the process's monotonic clock.
 */
export interface WorkPlace {
  busy: boolean
  client: string
  protocol: string
  server: ServerRecord | null
  /** The port on which the connection arrived. */
  localPort: number
  requestLine: string
  usedAtUs: number
  /** Of the last request, in milliseconds. */
  duration: number
  totalDuration: number
  accesses: number
  connectionAccesses: number
  bytes: number
  connectionBytes: number
}
