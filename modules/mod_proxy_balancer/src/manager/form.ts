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
  const type = request.headersIn.get('Content-Type') ?? ''
  let body = ''
  for await (const chunk of request.readBody()) {
    if (body.length <= LIMIT) body += Buffer.from(chunk).toString('latin1')
  }
  if (body.length <= LIMIT && /^application\/x-www-form-urlencoded\b/i.test(type)) read(body, form)
  return form
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
  const referer = request.headersIn.get('Referer')
  return referer?.startsWith(request.absoluteUrl('/')) === true
}
