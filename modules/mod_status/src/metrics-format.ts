/** A text format of metrics: OpenMetrics, or the older one of Prometheus. */
export interface MetricsFormat {
  readonly name: 'openmetrics' | 'prometheus'
  readonly contentType: string
}

export const OPEN_METRICS: MetricsFormat = {
  name: 'openmetrics',
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}
export const PROMETHEUS: MetricsFormat = { name: 'prometheus', contentType: 'text/plain; version=0.0.4; charset=utf-8' }

/** The preferred format of a client that requested metrics; OpenMetrics by default. */
export function metricsFormat(accept: string | undefined): MetricsFormat {
  const liked = parseAccept(accept)
  return qualityOf(liked, PROMETHEUS) > qualityOf(liked, OPEN_METRICS) ? PROMETHEUS : OPEN_METRICS
}

/** The format for a client that lists one in Accept and prefers it to a page; null for all others. */
export function preferredFormat(accept: string | undefined): MetricsFormat | null {
  const liked = parseAccept(accept)
  const page = Math.max(0, ...liked.filter(({ type }) => type === 'text/html').map(({ quality }) => quality))
  const format = metricsFormat(accept)
  return qualityOf(liked, format) > page ? format : null
}

interface AcceptRange {
  /** Type and subtype, in lower case. */
  readonly type: string
  readonly version: string | null
  readonly quality: number
}

function qualityOf(liked: readonly AcceptRange[], { name }: MetricsFormat): number {
  const fits = ({ type, version }: AcceptRange): boolean =>
    name === 'openmetrics'
      ? type === 'application/openmetrics-text' && (version === null || version.startsWith('1.') || version.startsWith('0.'))
      : type === 'text/plain' && version === '0.0.4'
  return Math.max(0, ...liked.filter(fits).map(({ quality }) => quality))
}

function parseAccept(accept: string | undefined): readonly AcceptRange[] {
  return (accept ?? '').split(',').map((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const parameter = (name: string): string | null =>
      parameters
        .find((text) => text.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .replaceAll('"', '') ?? null
    const quality = Number(parameter('q') ?? 1)
    return { type, version: parameter('version'), quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
}
