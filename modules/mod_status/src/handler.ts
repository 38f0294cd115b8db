import { DECLINED, type HostServices, M_GET, type MaybePromise, type Outcome, type Request } from '@gatewright/api'
import type { MetricFamily } from '@gatewright/api/status'
import { autoText, type StatusContext } from './auto.ts'
import { exposition } from './exposition.ts'
import { statusJson } from './json.ts'
import { CONTENT_SECURITY_POLICY } from './live.ts'
import { metricFamilies } from './metrics.ts'
import { type MetricsFormat, metricsFormat, preferredFormat } from './metrics-format.ts'
import { type StatusOptions, statusOptions } from './options.ts'
import { statusPage } from './page.ts'
import { summarize } from './summary.ts'

/** The services of the host that the handler uses. */
export type StatusServices = Pick<HostServices, 'status' | 'serverBanner' | 'serverSignature'>

/** What other modules add. */
export interface Additions {
  to(form: 'page' | 'auto'): Promise<string>
  metrics(): readonly MetricFamily[]
}

interface Contents {
  readonly context: StatusContext
  readonly additions: Additions
}

/**
 * Handles `SetHandler server-status` and the type `application/x-httpd-status`, for GET and HEAD; declines
 * other methods.
 */
export function answerStatus(request: Request, services: StatusServices, additions: Additions): MaybePromise<Outcome> {
  if (request.handler !== 'server-status' && request.contentType !== 'application/x-httpd-status') return DECLINED
  request.allowed ??= new Set()
  request.allowed.add('GET')
  if (request.methodNumber !== M_GET) return DECLINED
  return services.status().then((status) => {
    const options = statusOptions(request.args)
    const context = {
      status,
      summary: summarize(status, Date.now()),
      serverName: request.serverName(),
      banner: services.serverBanner(),
    }
    if (options.refresh !== null) request.headersOut.set('Refresh', String(options.refresh))
    return answer(request, services, { context, additions }, options)
  })
}

async function answer(
  request: Request,
  services: StatusServices,
  { context, additions }: Contents,
  { form, detail }: StatusOptions,
): Promise<Outcome> {
  // Forms that httpd has are sent with httpd's fields: mod_expires and Header decide how long they are
  // cached.
  if (form === 'auto') return request.send('text/plain; charset=ISO-8859-1', autoText(context) + (await additions.to('auto')))
  if (form === 'json') return sendOnce(request, 'application/json', statusJson(context, 'with places', additions.metrics()))
  const format = formatFor(request, form)
  if (format !== null)
    return sendOnce(request, format.contentType, exposition([...metricFamilies(context), ...additions.metrics()], format))
  const signature = services.serverSignature(request, '<hr />\n')
  const added = await additions.to('page')
  const frame = { localAddress: request.connection.localAddress, signature: added + signature, detail }
  request.headersOut.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  return request.send('text/html; charset=ISO-8859-1', statusPage(context, frame))
}

/** Sends a response that must not be cached. */
function sendOnce(request: Request, contentType: string, text: string): Outcome {
  request.headersOut.set('Cache-Control', 'no-store')
  return request.send(contentType, text)
}

/** The format of metrics for a response; null for the page. */
function formatFor(request: Request, form: StatusOptions['form']): MetricsFormat | null {
  if (form === 'page') return null
  const accept = request.headersIn.get('accept')
  const format = form === 'metrics' ? metricsFormat(accept) : preferredFormat(accept)
  // The page itself has the same fields as httpd's, which do not permit caching.
  if (format !== null) request.headersOut.merge('Vary', 'Accept')
  return format
}
