import { DECLINED, type HostServices, M_GET, type MaybePromise, type Outcome, type Request } from '@gatewright/api'
import { autoText, type StatusContext } from './auto.ts'
import { exposition } from './exposition.ts'
import { statusJson } from './json.ts'
import { CONTENT_SECURITY_POLICY } from './live.ts'
import { metricFamilies } from './metrics.ts'
import { type MetricsFormat, metricsFormat, preferredFormat } from './metrics-format.ts'
import { type StatusOptions, statusOptions } from './options.ts'
import { statusPage } from './page.ts'
import { summarize } from './summary.ts'

/** What the handler needs of the host. */
export type StatusServices = Pick<HostServices, 'status' | 'serverBanner' | 'serverSignature'>

/** Answers `SetHandler server-status` and the type `application/x-httpd-status`. Other methods than GET and HEAD are left to the next handler. */
export function answerStatus(request: Request, services: StatusServices): MaybePromise<Outcome> {
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
    return answer(request, services, context, options)
  })
}

function answer(request: Request, services: StatusServices, context: StatusContext, { form, detail }: StatusOptions): Outcome {
  // The forms that httpd has go out with its fields: mod_expires and Header decide how long they are kept.
  if (form === 'auto') return request.send('text/plain; charset=ISO-8859-1', autoText(context))
  if (form === 'json') return sendOnce(request, 'application/json', statusJson(context))
  const format = formatFor(request, form)
  if (format !== null) return sendOnce(request, format.contentType, exposition(metricFamilies(context), format))
  const signature = services.serverSignature(request, '<hr />\n')
  const frame = { localAddress: request.connection.localAddress, signature, detail }
  request.headersOut.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  return request.send('text/html; charset=ISO-8859-1', statusPage(context, frame))
}

/** It is old as soon as it was sent. */
function sendOnce(request: Request, contentType: string, text: string): Outcome {
  request.headersOut.set('Cache-Control', 'no-store')
  return request.send(contentType, text)
}

/** The format of metrics to answer in; null for the page. */
function formatFor(request: Request, form: StatusOptions['form']): MetricsFormat | null {
  if (form === 'page') return null
  const accept = request.headersIn.get('accept')
  const format = form === 'metrics' ? metricsFormat(accept) : preferredFormat(accept)
  // The page has httpd's fields and nothing that a cache could keep it by.
  if (format !== null) request.headersOut.merge('Vary', 'Accept')
  return format
}
