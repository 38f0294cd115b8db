import type { ProxyPassing } from '@gatewright/api'
import { headTarget, outgoingFields, outgoingHost } from '@gatewright/upstream'

/** What a client of HTTP/1.1 says about its own connection when it asks for HTTP/2. */
const OF_UPGRADE = 'http2-settings'

/** The fields of a request to a back end, pseudo fields first, in the order of httpd. */
export function requestFields(
  passing: ProxyPassing,
  how: { readonly isSecured: boolean; readonly length: number },
): [name: string, value: string][] {
  const { target, host } = headTarget(passing, false)
  const fields: [string, string][] = [
    [':scheme', how.isSecured ? 'https' : 'http'],
    [':authority', outgoingHost(passing, { host })],
    [':path', target],
    [':method', passing.request.method],
  ]
  if (how.length >= 0) fields.push(['content-length', String(how.length)])
  fields.push(['te', 'trailers'])
  for (const [name, value] of outgoingFields(passing).entries()) if (name !== OF_UPGRADE) fields.push([name, value])
  return fields
}
