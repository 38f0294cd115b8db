import {
  HTTP_BAD_REQUEST,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_SERVICE_UNAVAILABLE,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { heartbeatFields } from '@gatewright/api/peers'
import { leadingInteger } from '@gatewright/api/text'
import { type HeardServers, unsigned } from './heard-servers.ts'

/** What a body has beyond this length, in bytes, is not read. */
const LONGEST_BODY = 8192

/**
 * The handler `heartbeat`: takes a message from the body of a POST.
 * @param heard null where the server does not listen
 */
export function takePosted(request: Request, heard: HeardServers | null, log: ModuleLog): MaybePromise<Outcome> {
  if (request.method !== 'POST') return HTTP_METHOD_NOT_ALLOWED
  if (heard === null) {
    log.write(request, 'error', 'AH10561', 'Heartbeat monitoring not active')
    return HTTP_SERVICE_UNAVAILABLE
  }
  return take(request, heard, log)
}

async function take(request: Request, heard: HeardServers, log: ModuleLog): Promise<Outcome> {
  let body = ''
  for await (const chunk of request.readBody()) {
    if (body.length < LONGEST_BODY) body += Buffer.from(chunk).toString('latin1', 0, LONGEST_BODY - body.length)
  }
  const fields = heartbeatFields(body)
  const ready = fields.get('ready')
  const busy = fields.get('busy')
  if (ready === undefined || busy === undefined) {
    log.write(request, 'error', 'AH10563', 'Missing required parameters: busy and/or ready')
    return HTTP_BAD_REQUEST
  }
  const port = portOf(request, fields.get('port'), log)
  const numbers = {
    busy: numberOf(request, 'busy', busy, 'AH10565', log),
    ready: numberOf(request, 'ready', ready, 'AH10566', log),
  }
  await heard.hear({ address: request.useragentAddress, port, ...numbers }, true)
  request.contentType = 'text/plain'
  return request.respond('OK')
}

function portOf(request: Request, text: string | undefined, log: ModuleLog): number | null {
  if (text === undefined) return null
  const port = wholeNumber(text)
  if (port !== null && port > 0 && port < 65_536) return port
  log.write(request, 'warn', 'AH10564', `Invalid port value: ${text}, using default 80`)
  return 80
}

function numberOf(request: Request, name: string, text: string, code: string, log: ModuleLog): number {
  const number = wholeNumber(text)
  if (number !== null) return unsigned(number)
  log.write(request, 'warn', code, `Invalid ${name} value: ${text}, using 0`)
  return 0
}

/** A number that is written completely, also a negative one. */
function wholeNumber(text: string): number | null {
  return /^\s*[+-]?\d+$/.test(text) ? leadingInteger(text) : null
}
