import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SharedRecord } from '@gatewright/api'
import { type MetricFamily, NO_COUNTERS } from '@gatewright/api/status'
import { ServerFigures } from '@gatewright/store-client'
import t from 'tap'
import { parse } from 'yaml'
import { metricFamilies } from '../src/metrics.ts'
import { summarize } from '../src/summary.ts'
import { fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

const FOLDER = join(import.meta.dirname, '../../../conf/monitoring')

/** The labels of every sample, by its full name. */
function labelsOfSamples(): ReadonlyMap<string, ReadonlySet<string>> {
  const counters = {
    ...NO_COUNTERS,
    hosts: [{ name: 'www', responses: [0, 1, 0, 0, 0], bytes: 1 }],
    refusals: [{ outcome: 'denied', module: '', code: '', rule: '', count: 1 } as const],
  }
  const status = fakeStatus({ workers: [fakeWorker({ counters })] })
  const summary = summarize(status, STARTED_AT + 25_500)
  const suffixes = { counter: '_total', info: '_info', gauge: '', histogram: '' }
  return new Map(
    [...metricFamilies({ status, summary, serverName: 'host.test', banner: 'Gatewright' }), ...serverMetrics()].flatMap(
      ({ name, type, samples }) =>
        samples.map(({ part, labels }) => [name + (part ?? suffixes[type]), new Set(Object.keys(labels ?? {}))] as const),
    ),
  )
}

/** The metrics of other modules about the servers that they ask. */
function serverMetrics(): readonly MetricFamily[] {
  const record: SharedRecord = {
    numbers: new Float64Array(3),
    text: '',
    add: () => undefined,
    set: () => undefined,
    setText: () => undefined,
  }
  return ['ldap', 'dbd', 'redis', 'memcache'].flatMap((kind) =>
    new ServerFigures({ sharedRecord: () => record }, kind, 'x.c').metrics(['a server']),
  )
}

/** Metrics of this server in an expression of PromQL, each with the labels that the expression selects by. */
function metricsIn(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b(gatewright_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label).filter((label) => label !== 'instance'),
  }))
}

/** Labels by which an expression groups. */
function groupedBy(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)]
    .flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
    .filter((label) => label !== 'instance')
}

function expressionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    (key === 'expr' || key === 'query') && typeof member === 'string' ? [member] : expressionsOf(member),
  )
}

for (const [file, read] of [
  ['grafana-dashboard.json', (text: string): unknown => JSON.parse(text)],
  ['alerts.yml', (text: string): unknown => parse(text)],
] as const) {
  t.test(`${file} uses only metrics and labels that the server provides`, async (t) => {
    const known = labelsOfSamples()
    const expressions = expressionsOf(read(readFileSync(join(FOLDER, file), 'utf8'))).filter((text) =>
      text.includes('gatewright_'),
    )
    t.ok(expressions.length >= 8)
    for (const expression of expressions) {
      const metrics = metricsIn(expression)
      for (const { name, labels } of metrics) {
        t.ok(known.has(name), `${name} exists`)
        for (const label of labels) t.ok(known.get(name)?.has(label), `${name} has the label ${label}`)
      }
      for (const label of groupedBy(expression)) {
        t.ok(
          metrics.some(({ name }) => known.get(name)?.has(label)),
          `${label} is a label in ${expression}`,
        )
      }
    }
  })
}

t.test('every panel of the dashboard has a description, a unit and a place of its own', async (t) => {
  const { panels } = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8'))
  const places = new Set<string>()
  for (const { title, type, description, fieldConfig, gridPos } of panels) {
    if (type !== 'row') t.match([description, fieldConfig.defaults.unit], [/^[A-Z].*\.$/, /^\w+$/], title)
    t.ok(gridPos.x + gridPos.w <= 24, `${title} fits`)
    places.add(`${gridPos.x} ${gridPos.y}`)
  }
  t.equal(places.size, panels.length)
})
