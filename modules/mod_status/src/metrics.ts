import {
  COUNTED_METHODS,
  DURATION_BOUNDS,
  histogramSamples,
  type MetricFamily,
  type MetricSample,
  type ServerStatus,
  STATUS_CLASSES,
  type WorkerStatus,
} from '@gatewright/api/status'
import type { StatusContext } from './auto.ts'
import { requestsInWork, type Summary } from './summary.ts'

/**
 * All metrics. Values of labels come from the configuration or from fixed lists, so clients cannot create
 * series.
 */
export function metricFamilies({ status, summary, banner }: StatusContext): readonly MetricFamily[] {
  return [
    {
      name: 'gatewright_build',
      type: 'info',
      help: 'Product and version according to ServerTokens, and the process model.',
      samples: [{ labels: { version: banner, mpm: status.mpm }, value: 1 }],
    },
    ...lifeFamilies(status, summary),
    ...requestFamilies(summary),
    ...accessFamilies(status, summary),
    ...loadFamilies(status, summary),
    ...workerFamilies(status),
  ]
}

function lifeFamilies(status: ServerStatus, { now }: Summary): readonly MetricFamily[] {
  const stopping = status.workers.filter((worker) => worker.stopping).length
  return [
    gauge('gatewright_start_time_seconds', 'Start time of the server, since 1970.', status.startedAt / 1000, 'seconds'),
    gauge('gatewright_uptime_seconds', 'Time since the start.', Math.max(0, now - status.startedAt) / 1000, 'seconds'),
    gauge('gatewright_generation', 'Number of the active generation; 0 is the first.', status.mpmGeneration),
    {
      name: 'gatewright_reloads',
      type: 'counter',
      help: 'Configurations loaded after the start, and those that failed to load.',
      samples: [
        { labels: { outcome: 'done' }, value: status.reloads.done },
        { labels: { outcome: 'refused' }, value: status.reloads.refused },
      ],
    },
    {
      name: 'gatewright_workers',
      type: 'gauge',
      help: 'Worker processes: those that accept connections, and those that only complete their active requests.',
      samples: [
        { labels: { state: 'serving' }, value: status.workers.length - stopping },
        { labels: { state: 'stopping' }, value: stopping },
      ],
    },
    counter('gatewright_worker_deaths', 'Workers that ended unexpectedly.', status.workerDeaths),
  ]
}

function requestFamilies({ bytes, duration, counters }: Summary): readonly MetricFamily[] {
  const width = STATUS_CLASSES.length
  return [
    {
      name: 'gatewright_requests',
      type: 'counter',
      help: 'Answered requests, by method and class of status.',
      samples: COUNTED_METHODS.flatMap((method, row) =>
        STATUS_CLASSES.map((code, column) => ({ labels: { method, code }, value: counters.responses[row * width + column] })),
      ),
    },
    {
      name: 'gatewright_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Time from the request line to the end of the response.',
      samples: histogramSamples(DURATION_BOUNDS, counters.durations, duration / 1000),
    },
    counter('gatewright_response_body_bytes', 'Bytes of response bodies, without headers.', bytes, 'bytes'),
    {
      name: 'gatewright_host_requests',
      type: 'counter',
      help: 'Answered requests, by virtual host and class of status.',
      samples: counters.hosts.flatMap(({ name: host, responses }) =>
        STATUS_CLASSES.map((code, column) => ({ labels: { host, code }, value: responses[column] ?? 0 })),
      ),
    },
    {
      name: 'gatewright_host_response_body_bytes',
      type: 'counter',
      unit: 'bytes',
      help: 'Bytes of response bodies, without headers, by virtual host.',
      samples: counters.hosts.map(({ name: host, bytes: sent }) => ({ labels: { host }, value: sent })),
    },
  ]
}

function accessFamilies({ workers }: ServerStatus, { counters }: Summary): readonly MetricFamily[] {
  const { passwords } = counters
  const inAll = (pick: (worker: WorkerStatus) => number): number => workers.reduce((total, worker) => total + pick(worker), 0)
  return [
    counter('gatewright_access_granted', 'Requests that access control granted.', counters.granted),
    {
      name: 'gatewright_access_refused',
      type: 'counter',
      help: 'Requests that access control refused: denied (403), challenged (401) or failed; with module and code of the message, and the kind of rule.',
      samples: counters.refusals.map(({ count, ...labels }) => ({ labels, value: count })),
    },
    {
      name: 'gatewright_password_checks',
      type: 'counter',
      help: 'Passwords that were compared with a hash, that were found in the cache, and that were not compared because the queue was full.',
      samples: [
        { labels: { how: 'computed' }, value: passwords.computed },
        { labels: { how: 'remembered' }, value: passwords.remembered },
        { labels: { how: 'dropped' }, value: passwords.dropped },
      ],
    },
    {
      name: 'gatewright_password_queue',
      type: 'gauge',
      help: 'Password checks that wait for a thread, and those that a thread computes.',
      samples: [
        { labels: { state: 'waiting' }, value: inAll(({ process }) => process.passwordsWaiting) },
        { labels: { state: 'computing' }, value: inAll(({ process }) => process.passwordsComputing) },
      ],
    },
  ]
}

function loadFamilies(status: ServerStatus, summary: Summary): readonly MetricFamily[] {
  const { reading, writing, keepAlive, closing, connections, counters } = summary
  const working = connections - reading - writing - keepAlive - closing
  return [
    gauge('gatewright_requests_in_work', 'Requests in progress.', requestsInWork(status)),
    gauge('gatewright_max_request_workers', 'MaxRequestWorkers.', status.maxRequestWorkers),
    {
      name: 'gatewright_connections',
      type: 'gauge',
      help: 'Open connections by state.',
      samples: Object.entries({ reading, working, writing, keepalive: keepAlive, closing }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
    },
    counter('gatewright_connections_accepted', 'Accepted connections.', counters.acceptedConnections),
    {
      name: 'gatewright_connections_crowded_out',
      type: 'counter',
      help: 'Connections closed because no descriptors were left: new ones, and those closed in favour of clients with fewer connections.',
      samples: [
        { labels: { which: 'refused' }, value: counters.refusedConnections },
        { labels: { which: 'displaced' }, value: counters.displacedConnections },
      ],
    },
    {
      name: 'gatewright_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'CPU time of all workers.',
      samples: [
        { labels: { mode: 'user' }, value: summary.cpuUser },
        { labels: { mode: 'system' }, value: summary.cpuSystem },
      ],
    },
    counter(
      'gatewright_event_loop_active_seconds',
      'Time in which event loops were busy; one second per second is a worker at full capacity.',
      counters.loopActive,
      'seconds',
    ),
    counter('gatewright_log_lines_lost', 'Log lines that could not be written.', counters.lostLogLines),
  ]
}

/**
 * Metrics by slot, because workers are replaced: memory of workers in the same slot is added, for delays the
 * maximum counts.
 */
function workerFamilies({ workers }: ServerStatus): readonly MetricFamily[] {
  const slots = [...new Set(workers.map(({ slot }) => slot))]
  const inSlot = (slot: number): WorkerStatus[] => workers.filter((worker) => worker.slot === slot)
  const sums = (pick: (worker: WorkerStatus) => number): MetricSample[] =>
    slots.map((slot) => ({ labels: { worker: String(slot) }, value: inSlot(slot).reduce((sum, one) => sum + pick(one), 0) }))
  return [
    {
      name: 'gatewright_event_loop_delay_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Delay of event loops within the past ten seconds.',
      samples: slots.flatMap((slot) =>
        (['mean', 'p99', 'max'] as const).map((statistic) => ({
          labels: { worker: String(slot), statistic },
          value: Math.max(...inSlot(slot).map(({ process }) => process.loopDelay[statistic])) / 1000,
        })),
      ),
    },
    {
      name: 'gatewright_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Memory of workers.',
      samples: sums(({ process }) => process.residentMemory),
    },
    {
      name: 'gatewright_heap_used_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Memory of JavaScript objects in workers.',
      samples: sums(({ process }) => process.heapUsed),
    },
  ]
}

function gauge(name: string, help: string, value: number, unit?: MetricFamily['unit']): MetricFamily {
  return { name, type: 'gauge', help, unit, samples: [{ value }] }
}

function counter(name: string, help: string, value: number, unit?: MetricFamily['unit']): MetricFamily {
  return { name, type: 'counter', help, unit, samples: [{ value }] }
}
