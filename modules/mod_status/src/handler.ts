import { DECLINED, type HostServices, M_GET, type MaybePromise, type Outcome, type Request } from '@gatewright/api'
import { autoText } from './auto.ts'
import { statusOptions } from './options.ts'
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
    const summary = summarize(status, Date.now())
    const context = { status, summary, serverName: request.serverName(), banner: services.serverBanner() }
    if (options.refresh !== null) request.headersOut.set('Refresh', String(options.refresh))
    if (options.auto) return request.send('text/plain; charset=ISO-8859-1', autoText(context))
    const signature = services.serverSignature(request, '<hr />\n')
    const frame = { localAddress: request.connection.localAddress, signature, detail: options.detail }
    return request.send('text/html; charset=ISO-8859-1', statusPage(context, frame))
  })
}
