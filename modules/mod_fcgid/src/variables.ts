import type { HostServices, Request, Table } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { environmentOf } from '@gatewright/cgi'

/** Fields of the connection with the client, which programs do not get. */
const OF_CONNECTION = ['HTTP_KEEP_ALIVE', 'HTTP_TE', 'HTTP_TRAILER', 'HTTP_TRANSFER_ENCODING', 'HTTP_UPGRADE']
/** What FastCGI forbids for authorizers (section 6.3). */
const OF_RESPONDERS = ['CONTENT_LENGTH', 'PATH_INFO', 'PATH_TRANSLATED', 'SCRIPT_NAME']

/** What the variables depend on beside the request. */
export interface VariableParts {
  readonly services: HostServices
  readonly passHeaders: readonly string[]
}

/** The variables of a request for a responder. @param length of the body, which is announced to the program also where the client has not announced it */
export async function responderVariables(
  request: Request,
  parts: VariableParts,
  length: number,
): Promise<[name: string, value: string][]> {
  const variables = commonVariables(request, parts)
  if (request.pathInfo !== '') {
    const sub = await request.lookupUri(escapeUriPath(request.pathInfo))
    if (sub.filename === '') variables.unset('PATH_TRANSLATED')
    else variables.set('PATH_TRANSLATED', sub.filename + sub.pathInfo)
  }
  if (!request.headersIn.has('Content-Length')) variables.set('CONTENT_LENGTH', String(length))
  return environmentOf(variables)
}

/** The variables of a question about access. @param password what the client sent; null where it is not asked */
export function accessVariables(
  request: Request,
  parts: VariableParts,
  { role, password }: { readonly role: string; readonly password: string | null },
): [name: string, value: string][] {
  const variables = commonVariables(request, parts)
  if (password !== null) variables.set('REMOTE_PASSWD', password)
  variables.set('FCGI_APACHE_ROLE', role)
  for (const name of OF_RESPONDERS) variables.unset(name)
  return environmentOf(variables)
}

function commonVariables(request: Request, { services, passHeaders }: VariableParts): Table {
  const variables = services.cgiVariables(request)
  for (const name of passHeaders) {
    const value = request.headersIn.get(name)
    if (value === undefined) continue
    variables.set(name, value)
    variables.set(`HTTP_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, value)
  }
  for (const name of OF_CONNECTION) variables.unset(name)
  variables.set('HTTP_CONNECTION', 'close')
  return variables
}
