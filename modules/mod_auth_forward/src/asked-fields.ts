import type { Request } from '@gatewright/api'
import type { FieldPair } from './service.ts'

/** Fields of one connection, of a body, and those that describe the request to the service. */
const NOT_SENT =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|if-.*|range|http2-settings|forwarded|x-forwarded-.*|x-original-.*|x-real-ip)$/i

/** The request that the client sent; not the one to which it was redirected. */
export function originalOf(request: Request): Request {
  let original = request
  for (let before = original.main ?? original.prev; before !== null; before = original.main ?? original.prev) original = before
  return original
}

/** The fields of the question: those of the client that do not belong to its connection, and the description of its request. */
export function askedFields(request: Request): readonly FieldPair[] {
  const { headersIn, scheme, useragentAddress } = request
  const original = originalOf(request)
  const host = headersIn.get('Host') ?? request.serverName()
  const sent: FieldPair[] = [['Host', host]]
  for (const [name, value] of headersIn) if (!NOT_SENT.test(name)) sent.push([name, value])
  sent.push(
    ['X-Forwarded-Method', original.method],
    ['X-Forwarded-Proto', scheme],
    ['X-Forwarded-Host', host],
    ['X-Forwarded-Uri', original.unparsedUri],
    ['X-Forwarded-For', useragentAddress],
    ['X-Original-Method', original.method],
    ['X-Original-URL', `${scheme}://${host}${original.unparsedUri}`],
    ['X-Real-IP', useragentAddress],
  )
  return sent
}
