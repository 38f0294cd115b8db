import type { MetricFamily } from '@gatewright/api/status'
import type { MetricsFormat } from './metrics-format.ts'

/** Formats metric families as text. */
export function exposition(families: readonly MetricFamily[], format: MetricsFormat): string {
  const text = families.map((family) => (format.name === 'openmetrics' ? openMetrics(family) : prometheus(family))).join('')
  return format.name === 'openmetrics' ? `${text}# EOF\n` : text
}

function openMetrics(family: MetricFamily): string {
  const { name, type, unit, help } = family
  return (
    `# TYPE ${name} ${type}\n${unit === undefined ? '' : `# UNIT ${name} ${unit}\n`}# HELP ${name} ${escapeText(help)}\n` +
    samplesOf(family)
  )
}

/**
 * Formats a family for Prometheus, which supports neither units nor infos, and names a counter like its
 * samples.
 */
function prometheus(family: MetricFamily): string {
  const { type, help } = family
  const name = family.name + suffixOf(type)
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type === 'info' ? 'gauge' : type}\n${samplesOf(family)}`
}

function samplesOf({ name, type, samples }: MetricFamily): string {
  return samples
    .map(({ part, labels, value }) => `${name}${part ?? suffixOf(type)}${labelsText(labels)} ${numberText(value)}\n`)
    .join('')
}

function suffixOf(type: MetricFamily['type']): string {
  return type === 'counter' ? '_total' : type === 'info' ? '_info' : ''
}

function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN'
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
