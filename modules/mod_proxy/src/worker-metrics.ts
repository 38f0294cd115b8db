import { DURATION_BOUNDS, histogramSamples, type MetricFamily, type MetricSample } from '@gatewright/api/status'
import { CONNECT_FAILURES, IDLE, OPEN, OPENED, type PublishedFigures, REUSED, WAITING } from './published-figures.ts'
import type { Worker } from './workers/worker.ts'
import { BUSY, DURATION, DURATIONS, ELECTED, FAILURES, RECEIVED, SENT } from './workers/worker-record.ts'

/**
 * What ProxyStatus adds to the metrics of mod_status: the figures of the workers that no balancer has, and the connections of all.
 * @param published up to date for this process
 */
export function workerMetrics(workers: readonly Worker[], published: PublishedFigures): readonly MetricFamily[] {
  const all = new Map<string, Row>()
  for (const worker of workers) {
    const figures = published.of(worker)
    if (figures === null) continue
    const label = labelOf(worker)
    // Servers may have workers for the same backend.
    const before = all.get(label)
    const isMember = worker.isMember && before?.isMember !== false
    all.set(label, { label, isMember, figures: before === undefined ? figures : sumOf(before.figures, figures) })
  }
  const rows = [...all.values()]
  if (rows.length === 0) return []
  const own = rows.filter(({ isMember }) => !isMember)
  return [...(own.length === 0 ? [] : requestFamilies(own)), ...connectionFamilies(rows)]
}

interface Row {
  readonly label: string
  readonly isMember: boolean
  readonly figures: Float64Array
}

/** Its URL without the user, with its socket. */
function labelOf({ name, socketPath }: Worker): string {
  const url = name.replace(/^([^/]*\/\/)[^/@]*@/, '$1')
  return socketPath === null ? url : `unix:${socketPath}|${url}`
}

function sumOf(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, index) => value + other[index])
}

function requestFamilies(rows: readonly Row[]): readonly MetricFamily[] {
  return [
    { name: `${WORKER}busy`, type: 'gauge', help: 'Requests in progress.', samples: samplesOf(rows, BUSY) },
    { name: `${WORKER}requests`, type: 'counter', help: 'Requests that were passed to it.', samples: samplesOf(rows, ELECTED) },
    {
      name: `${WORKER}failures`,
      type: 'counter',
      help: 'Attempts that ended without a response of the backend.',
      samples: samplesOf(rows, FAILURES),
    },
    {
      name: `${WORKER}sent_bytes`,
      type: 'counter',
      unit: 'bytes',
      help: 'Bytes that were sent to it.',
      samples: samplesOf(rows, SENT),
    },
    {
      name: `${WORKER}received_bytes`,
      type: 'counter',
      unit: 'bytes',
      help: 'Bytes that it sent.',
      samples: samplesOf(rows, RECEIVED),
    },
    {
      name: `${WORKER}duration_seconds`,
      type: 'histogram',
      unit: 'seconds',
      help: 'Time until its response began, or until it was clear that there is none.',
      samples: rows.flatMap(({ label, figures }) =>
        histogramSamples(
          DURATION_BOUNDS,
          figures.subarray(DURATIONS, DURATIONS + DURATION_BOUNDS.length + 1),
          figures[DURATION],
          {
            worker: label,
          },
        ),
      ),
    },
  ]
}

function connectionFamilies(rows: readonly Row[]): readonly MetricFamily[] {
  return [
    {
      name: `${CONNECTIONS}`,
      type: 'gauge',
      help: 'Open connections to the backend: in use by a request, and idle.',
      samples: rows.flatMap(({ label, figures }) => [
        { labels: { worker: label, state: 'in_use' }, value: figures[OPEN] - figures[IDLE] },
        { labels: { worker: label, state: 'idle' }, value: figures[IDLE] },
      ]),
    },
    {
      name: `${CONNECTIONS}_waiting`,
      type: 'gauge',
      help: 'Requests that wait for a connection.',
      samples: samplesOf(rows, WAITING),
    },
    { name: `${CONNECTIONS}_opened`, type: 'counter', help: 'Connections that were opened.', samples: samplesOf(rows, OPENED) },
    {
      name: `${CONNECTIONS}_reused`,
      type: 'counter',
      help: 'Times that an idle connection was used again.',
      samples: samplesOf(rows, REUSED),
    },
    {
      name: `${CONNECTIONS}_failed`,
      type: 'counter',
      help: 'Attempts to connect that failed.',
      samples: samplesOf(rows, CONNECT_FAILURES),
    },
  ]
}

function samplesOf(rows: readonly Row[], index: number): readonly MetricSample[] {
  return rows.map(({ label, figures }) => ({ labels: { worker: label }, value: figures[index] }))
}

const WORKER = 'gatewright_proxy_worker_'
const CONNECTIONS = 'gatewright_proxy_connections'
