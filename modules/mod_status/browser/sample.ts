import { percentile } from './percentile.ts'
import type { ConnectionState, Refusal, Status } from './status.ts'

/**
 * The drawn values of one sample: rates per second, latencies in seconds (null if there were no requests),
 * and counts.
 */
export type Sample = Readonly<Record<'time' | 'generation' | 'requests' | 'bytes' | 'cpu' | Rate | ConnectionState, number>> &
  Readonly<Record<Latency, number | null>>

export type Rate = '2xx' | '3xx' | '4xx' | '5xx' | 'granted' | Refusal['outcome']
export type Latency = 'p50' | 'p90' | 'p99'

/** The sample between two requests: rates per second from both, and counts from the second. */
export function sampleBetween(before: Status, after: Status): Sample {
  const seconds = Math.max(0.001, (Date.parse(after.server.now) - Date.parse(before.server.now)) / 1000)
  const rate = (pick: (status: Status) => number): number => Math.max(0, pick(after) - pick(before)) / seconds
  const counts = after.requests.durations.counts.map((count, index) => count - before.requests.durations.counts[index])
  const latency = (share: number): number | null => percentile(after.requests.durations.bounds, counts, share)
  return {
    time: Date.parse(after.server.now),
    generation: after.server.generation,
    requests: rate(({ requests }) => requests.total),
    bytes: rate(({ requests }) => requests.bytes),
    cpu: rate(({ cpu }) => cpu.user + cpu.system),
    '2xx': rate(({ requests }) => requests.byClass['2xx'] + requests.byClass['1xx']),
    '3xx': rate(({ requests }) => requests.byClass['3xx']),
    '4xx': rate(({ requests }) => requests.byClass['4xx']),
    '5xx': rate(({ requests }) => requests.byClass['5xx']),
    p50: latency(0.5),
    p90: latency(0.9),
    p99: latency(0.99),
    granted: rate(({ access }) => access.granted),
    challenged: rate((status) => refused(status, 'challenged')),
    denied: rate((status) => refused(status, 'denied')),
    failed: rate((status) => refused(status, 'failed')),
    working: after.connections.working,
    reading: after.connections.reading,
    writing: after.connections.writing,
    keepAlive: after.connections.keepAlive,
    closing: after.connections.closing,
  }
}

function refused({ access }: Status, outcome: Refusal['outcome']): number {
  return access.refusals.reduce((sum, refusal) => (refusal.outcome === outcome ? sum + refusal.count : sum), 0)
}
