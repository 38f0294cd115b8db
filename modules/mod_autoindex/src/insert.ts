import type { HostServices, ModuleLog, Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { isHtml, mediaType } from './html-type.ts'

/** A larger file is omitted, because it would be in memory during each request. */
const LARGEST_INSERT = 64 * 1024 * 1024

/** A file of HeaderName or ReadmeName: markup is inserted unchanged, other text is escaped. */
export interface Insert {
  readonly kind: 'markup' | 'text'
  readonly content: string
}

/**
 * The file at a URL relative to the folder; null if there is none, if the client has no access, or if it is
 * not text. Negotiation chooses HTML or plain text, whatever the client prefers.
 */
export async function readInsert(request: Request, url: string, services: HostServices, log: ModuleLog): Promise<Insert | null> {
  const { headersIn } = request
  const accept = headersIn.get('Accept')
  const encodings = headersIn.get('Accept-Encoding')
  headersIn.set('Accept', 'text/html, text/plain')
  headersIn.delete('Accept-Encoding')
  let sub: Request
  try {
    sub = await request.lookupUri(absoluteUri(request, url))
  } finally {
    if (accept === undefined) headersIn.delete('Accept')
    else headersIn.set('Accept', accept)
    if (encodings !== undefined) headersIn.set('Accept-Encoding', encodings)
  }
  if (sub.status !== 200 || sub.fileInfo?.kind !== 'file') return null
  if (isHtml(sub.contentType)) return isStatic(sub) ? read(sub, 'markup', services, log) : null
  return mediaType(sub.contentType)?.toLowerCase().startsWith('text/') === true ? read(sub, 'text', services, log) : null
}

function absoluteUri(request: Request, url: string): string {
  return url.startsWith('/') ? url : `${escapeUriPath(request.uri.slice(0, request.uri.lastIndexOf('/') + 1))}${url}`
}

/** Files with another handler are only its source. */
function isStatic(sub: Request): boolean {
  return sub.handler === null || sub.handler === 'default-handler'
}

async function read(sub: Request, kind: Insert['kind'], services: HostServices, log: ModuleLog): Promise<Insert | null> {
  // A rule of the folder has rewritten the URL to `redirect:/...`, which is not a file. httpd omits it silently.
  if (!sub.filename.startsWith('/')) return null
  try {
    return { kind, content: await services.fileText(sub.filename, LARGEST_INSERT) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error.name === 'FileTooLarge' ? `: it is larger than ${LARGEST_INSERT} bytes` : ''
    log.write(sub, 'error', '', `cannot read ${sub.filename} for the directory listing${reason}`, error)
    return null
  }
}
