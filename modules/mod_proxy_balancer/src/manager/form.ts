import type { Request } from '@gatewright/api'
import { decodePercent } from '@gatewright/api/text'

/** The names and values that a request to the manager has, in its query and in the body of a form. */
export type Form = ReadonlyMap<string, string>

/** A longer body is no form of the manager, in bytes. */
const LIMIT = 16 * 1024

export async function formOf(request: Request): Promise<Form> {
  const form = new Map<string, string>()
  if (request.args !== null) read(request.args, form)
  if (request.method !== 'POST') return form
  const body = await bodyOf(request)
  if (body !== null && hasType(request, 'application/x-www-form-urlencoded')) read(body.toString('latin1'), form)
  return form
}

/** The body of a request; null if it is too long for the manager. */
export async function bodyOf(request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.readBody()) {
    length += chunk.length
    if (length <= LIMIT) chunks.push(Buffer.from(chunk))
  }
  return length <= LIMIT ? Buffer.concat(chunks) : null
}

/** Whether the body of a request is of a type, with or without parameters. */
export function hasType({ headersIn }: Request, type: string): boolean {
  return (headersIn.get('Content-Type') ?? '').split(';', 1)[0].trim().toLowerCase() === type
}

function read(text: string, form: Map<string, string>): void {
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    if (equals > 0) form.set(decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1)))
  }
}

function decoded(text: string): string {
  // Line ends and other controls are in no parameter.
  return decodePercent(text.replaceAll('+', ' ')).replace(/[\x00-\x1f\x7f]/g, '')
}

/**
 * Whether the request comes from a page of this server: others could make the browser of an operator send one.
 */
export function isOwnPage(request: Request): boolean {
  const host = HOST.exec(request.headersIn.get('Referer') ?? '')?.[1]
  return host !== undefined && host.toLowerCase() === request.serverName().toLowerCase()
}

/** The host of a URL. As in httpd, its port does not matter: a proxy may have another one. */
const HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?(\[[^\]/]*\]|[^/?#:@]+)(?::\d*)?(?:[/?#]|$)/i
