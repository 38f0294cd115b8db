import type { HostServices, ModuleLog, Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { isHtml, mediaType } from './html-type.ts'

/** A larger file is left out: it would be in memory for each request. */
const LARGEST_INSERT = 64 * 1024 * 1024

/** A file of HeaderName or ReadmeName: markup is taken as it is, other text is shown as it is. */
export interface Insert {
  readonly kind: 'markup' | 'text'
  readonly content: string
}

/**
 * The file that a URL relative to the folder leads to; null when there is none, the client may not see it, or it is not text. Text is what
 * negotiation chooses, whatever the client prefers.
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

/** Files of a handler are its source. */
function isStatic(sub: Request): boolean {
  return sub.handler === null || sub.handler === 'default-handler'
}

async function read(sub: Request, kind: Insert['kind'], services: HostServices, log: ModuleLog): Promise<Insert | null> {
  try {
    return { kind, content: await services.fileText(sub.filename, LARGEST_INSERT) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error.name === 'FileTooLarge' ? `: it is larger than ${LARGEST_INSERT} bytes` : ''
    log.write(sub, 'error', '', `cannot read ${sub.filename} for the directory listing${reason}`, error)
    return null
  }
}
