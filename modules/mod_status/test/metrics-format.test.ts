import t from 'tap'
import { metricsFormat, preferredFormat } from '../src/metrics-format.ts'

/** Accept fields of clients, and the responses to `?metrics` and to the URL of the page. */
const CLIENTS: readonly (readonly [client: string, accept: string | undefined, metrics: string, page: string | null])[] = [
  ['no Accept', undefined, 'openmetrics', null],
  ['curl', '*/*', 'openmetrics', null],
  [
    'Prometheus 2',
    'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
    'openmetrics',
  ],
  ['an older Prometheus', 'text/plain;version=0.0.4;q=1,*/*;q=0.1', 'prometheus', 'prometheus'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'openmetrics', null],
  ['a client of plain text', 'text/plain', 'openmetrics', null],
  ['one that prefers a page', 'text/html, application/openmetrics-text;q=0.9', 'openmetrics', null],
  ['one that prefers metrics', 'text/html;q=0.5, application/openmetrics-text; version="1.0.0"', 'openmetrics', 'openmetrics'],
  ['one that refuses OpenMetrics', 'application/openmetrics-text;q=0, text/plain;version=0.0.4', 'prometheus', 'prometheus'],
  ['one that refuses both', 'application/openmetrics-text;q=0', 'openmetrics', null],
  ['one with capitals', 'Application/OpenMetrics-Text; Version=1.0.0; Q=0.5', 'openmetrics', 'openmetrics'],
  ['nonsense', ';;q=x,,application/openmetrics-text;q=7', 'openmetrics', null],
]

for (const [client, accept, metrics, page] of CLIENTS) {
  t.test(`${client} gets ${metrics} for ?metrics, and ${page ?? 'the page'} without it`, async (t) => {
    t.equal(metricsFormat(accept).name, metrics)
    t.equal(preferredFormat(accept)?.name ?? null, page)
  })
}
