import {
  DECLINED,
  HTTP_METHOD_NOT_ALLOWED,
  M_GET,
  M_POST,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { MAP_TYPE, type MapContent, readTypeMap } from './map-file.ts'
import { type Negotiated, type NegotiationContext, negotiate } from './negotiation.ts'
import type { Variant } from './variant.ts'

/** The handler of type maps: sends the chosen body, or redirects internally to the chosen file. */
export function handleTypeMap(request: Request, context: NegotiationContext): MaybePromise<Outcome> {
  if (request.handler !== 'type-map' && request.handler !== MAP_TYPE) return DECLINED
  const map = readTypeMap(request, context)
  return whenSettled(map, (content) => handleMap(request, content, context))
}

function handleMap(request: Request, map: MapContent, context: NegotiationContext): MaybePromise<Outcome> {
  if ('outcome' in map) return map.outcome
  request.variantsFrom = request.fileInfo
  const negotiated = negotiate(request, map.variants, 'ordinary', context)
  return whenSettled(negotiated, (result) => serve(request, result, context))
}

function serve(request: Request, result: Negotiated, context: NegotiationContext): MaybePromise<Outcome> {
  if ('outcome' in result) return result.outcome
  if (request.version < 1001 && !context.mayBeCached(request)) {
    // HTTP/1.0 caches do not support Vary.
    request.noCache = true
  }
  const { variant } = result
  // Bytes, because httpd states their length in any case.
  if (variant.body !== null) return sendBody(request, variant, Buffer.from(variant.body, 'latin1'))
  // The path info is appended to the file, so logs show the map's own URI.
  request.uri = withoutPathInfo(request)
  const folder = escapeUriPath(request.uri.replace(/[^/]*$/, ''))
  const query = request.args === null ? '' : `?${request.args}`
  return request.internalRedirect(`${folder}${variant.fileName}${request.pathInfo}${query}`)
}

/** If slashes are not merged, several slashes before the path info belong to it. */
function withoutPathInfo({ uri, pathInfo }: Request): string {
  return pathInfo !== '' && uri.endsWith(pathInfo) ? uri.slice(0, -pathInfo.length).replace(/\/+$/, '') : uri
}

function sendBody(request: Request, variant: Variant, body: Uint8Array): MaybePromise<Outcome> {
  request.allowed = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
  if (request.methodNumber !== M_GET && request.methodNumber !== M_POST) return HTTP_METHOD_NOT_ALLOWED
  describe(request, variant)
  const met = request.meetsConditions()
  if (met !== OK) return met
  const discarded = request.discardBody()
  return discarded instanceof Promise
    ? discarded.then((outcome) => (outcome === OK ? request.respond(body) : outcome))
    : discarded === OK
      ? request.respond(body)
      : discarded
}

function describe(request: Request, { mimeType, charset, languages, encoding }: Variant): void {
  request.headersOut.set('Accept-Ranges', 'bytes')
  if (mimeType !== '') request.contentType = charset === '' ? mimeType : `${mimeType}; charset=${charset}`
  if (languages.length > 0) request.contentLanguages = languages
  if (encoding !== null) request.contentEncoding = encoding
}
