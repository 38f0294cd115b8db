import type { ServerRecord } from './server-record.ts'

/** A place for one request in work, as status pages show it; what it served last stays to be seen. Times are microseconds of the process's own clock. */
export interface WorkPlace {
  busy: boolean
  client: string
  protocol: string
  server: ServerRecord | null
  /** The port that the connection came in on. */
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
