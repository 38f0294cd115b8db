import { DURATION_BOUNDS, histogramSamples, type MetricFamily, type MetricSample } from '@gatewright/api/status'
import type { Balancer } from './workers/balancer.ts'
import type { Worker } from './workers/worker.ts'

/** What ProxyStatus adds to the metrics of mod_status: the figures of the members of balancers. */
export function memberMetrics(balancers: readonly Balancer[]): readonly MetricFamily[] {
  if (balancers.length === 0) return []
  const all = balancers.flatMap(({ name, members }) =>
    members.map((member) => ({ member, labels: { balancer: name, member: member.name } })),
  )
  const samples = (value: (member: Worker) => number): readonly MetricSample[] =>
    all.map(({ member, labels }) => ({ labels, value: value(member) }))
  return [
    gauge('usable', 'Whether it gets requests: 0 while it is disabled, stopped, in error or fails its checks.', samples(usable)),
    gauge(
      'busy',
      'Requests in progress.',
      samples(({ busy }) => busy),
    ),
    counter(
      'requests',
      'Requests that it was elected for.',
      samples(({ elected }) => elected),
    ),
    counter(
      'failures',
      'Attempts that ended without a response of the member.',
      samples(({ failures }) => failures),
    ),
    counter(
      'retries',
      'Times that it was tried again after an error.',
      samples(({ retries }) => retries),
    ),
    counter(
      'sent_bytes',
      'Bytes that were sent to it.',
      samples(({ sent }) => sent),
      'bytes',
    ),
    counter(
      'received_bytes',
      'Bytes that it sent.',
      samples(({ received }) => received),
      'bytes',
    ),
    {
      name: `${PREFIX}duration_seconds`,
      type: 'histogram',
      unit: 'seconds',
      help: 'Time until its response began, or until it was clear that there is none.',
      samples: all.flatMap(({ member, labels }) => histogramSamples(DURATION_BOUNDS, member.durations, member.duration, labels)),
    },
  ]
}

const PREFIX = 'gatewright_proxy_member_'

function usable({ isUsable }: Worker): number {
  return isUsable ? 1 : 0
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name: PREFIX + name, type: 'gauge', help, samples }
}

function counter(name: string, help: string, samples: readonly MetricSample[], unit?: MetricFamily['unit']): MetricFamily {
  return { name: PREFIX + name, type: 'counter', help, unit, samples }
}
