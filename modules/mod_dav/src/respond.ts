import { httpStatus, type Outcome } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'
import { type DavError, type DavResponse, escapeXml } from '@gatewright/dav'
import type { DavContext } from './context.ts'

const XML_TYPE = 'text/xml; charset="utf-8"'

/** Reason phrases of statuses in documents and on pages. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  423: 'Locked',
  424: 'Failed Dependency',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  507: 'Insufficient Storage',
}

/** `HTTP/1.1 404 Not Found`. */
export function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`
}

/** Sends a document. @param body with the prefix `D` for the namespace of WebDAV */
export function sendXml({ request }: DavContext, status: number, name: string, body: string): Outcome {
  const text = `<?xml version="1.0" encoding="utf-8"?>\n<D:${name} xmlns:D="DAV:">\n${body}</D:${name}>\n`
  const outcome = request.send(XML_TYPE, text)
  request.status = status
  return outcome
}

/** Sends the parts of an answer about several resources. */
export function sendMultistatus(context: DavContext, status: number, responses: readonly DavResponse[]): Outcome {
  return sendXml(context, status, 'multistatus', responses.map(writeResponse).join(''))
}

export function writeResponse({ href, propstat, status, description }: DavResponse): string {
  return [
    `<D:response><D:href>${escapeXml(href)}</D:href>\n`,
    propstat,
    status === 0 ? '' : `<D:status>${statusLine(status)}</D:status>\n`,
    description === '' ? '' : `<D:responsedescription>${escapeXml(description)}</D:responsedescription>\n`,
    '</D:response>\n',
  ].join('')
}

/** Sends a page with a text of mod_dav. */
export function sendPage({ request, signature }: DavContext, status: number, text: string): Outcome {
  const reason = REASONS[status] ?? 'Error'
  const page = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html>
<head>
<title>${status} ${reason}</title>
</head><body>
<h1>${reason}</h1>
<p>${text}</p>
${signature}</body></html>
`
  const outcome = request.send('text/html; charset=ISO-8859-1', page)
  request.status = status
  return outcome
}

/** The answer to a request that has made or replaced a resource. */
export function sendCreated(context: DavContext, what: string, href: string, replaced: boolean): Outcome {
  const { request } = context
  if (replaced) {
    request.status = 204
    return request.respond('')
  }
  request.headersOut.set('Location', request.absoluteUrl(href))
  return sendPage(context, 201, `${what} ${escapeHtml(href)} has been created.`)
}

/** Logs an error with what led to it, and answers with its status, or with the resources that it names. */
export function sendError(context: DavContext, error: DavError): Outcome {
  logError(context, error)
  if (error.responses.length > 0) return sendMultistatus(context, error.status, error.responses)
  return httpStatus(error.status)
}

export function logError({ request, log }: DavContext, error: DavError): void {
  for (let one: DavError | null = error; one !== null; one = one.before) {
    // A failed precondition of HTTP has no text.
    if (one.message === '') continue
    if (one.code !== '') log.write(request, 'error', one.code, one.message, one.osError)
    else log.write(request, 'error', '', `${one.message}  [${one.status}, #${one.id}]`, one.osError)
  }
}
