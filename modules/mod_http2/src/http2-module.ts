import { DECLINED, defineModule, HTTP_NOT_IMPLEMENTED, httpStatus, type Module, OK, type Request } from '@gatewright/api'
import { allowsHttp2Upgrade, connectionTls, type Http2Stream, http2SettingsOf, http2StreamOf } from '@gatewright/api/peers'
import { hintEarly } from './early-hints.ts'
import { setEnvironment } from './environment.ts'
import { choosePushes } from './push-policy.ts'
import { sectionDirectives } from './section-directives.ts'
import { serverDirectives } from './server-directives.ts'
import { createSectionConfig, mergeSectionConfig, mergeServerConfig, type SectionConfig, type ServerConfig } from './settings.ts'

const MISDIRECTED = 421
const STANDARD_STREAMS = 100
const STANDARD_STREAM_ERRORS = 8
const STANDARD_DIARY = 256

/** mod_http2: lets the host speak HTTP/2, and decides about its requests. */
export function http2Module(): Module<SectionConfig, ServerConfig> {
  return defineModule<SectionConfig, ServerConfig>({
    name: 'http2_module',
    source: 'mod_http2.c',
    perDirectory: { create: createSectionConfig, merge: mergeSectionConfig },
    perServer: { create: () => ({}), merge: mergeServerConfig },
    directives: { ...serverDirectives, ...sectionDirectives },
    register({ hooks, providers, functions, configOf, serverConfigOf, defaultsOf }) {
      providers.protocols.add('h2', {})
      functions.offer(http2SettingsOf, (server) => {
        const config = serverConfigOf(server)
        return {
          maxStreams: config.maxStreams ?? STANDARD_STREAMS,
          windowSize: config.windowSize ?? 0,
          maxDataFrame: config.maxDataFrame ?? 0,
          maxHeaderBlock: config.maxHeaderBlock ?? 0,
          maxStreamErrors: config.maxStreamErrors ?? STANDARD_STREAM_ERRORS,
          padding: config.padding ?? 0,
          streamTimeout: config.streamTimeout ?? 0,
          webSockets: config.webSockets ?? false,
          proxyRequests: defaultsOf(server).proxyRequests ?? false,
          push: defaultsOf(server).push ?? true,
          pushDiarySize: config.pushDiarySize ?? STANDARD_DIARY,
          direct: config.direct ?? null,
          modernTlsOnly: config.modernTlsOnly ?? true,
        }
      })
      const isSecured = ({ connection }: Request): boolean => (functions.get(connectionTls)?.(connection) ?? null) !== null
      // Over TLS, clients choose by ALPN.
      functions.offer(allowsHttp2Upgrade, (request) => configOf(request).upgrade ?? !isSecured(request))

      const streamOf = (request: Request): Http2Stream | null => functions.get(http2StreamOf)?.(request) ?? null
      providers.expressionNames.add('mod_http2', {
        variable: (name) => (name === 'HTTP2' ? (request) => (streamOf(request) === null ? 'off' : 'on') : undefined),
      })
      hooks.postReadRequest.add((request) => {
        if (streamOf(request) === null) return DECLINED
        // A client may use a connection for other hosts of the same address, but not one that does not speak HTTP/2.
        if (!request.server.protocols.includes(isSecured(request) ? 'h2' : 'h2c')) return httpStatus(MISDIRECTED)
        // The host of the connection offered WebSockets, but each host decides about its own.
        return isWebSocket(request) && serverConfigOf(request.server).webSockets !== true ? HTTP_NOT_IMPLEMENTED : DECLINED
      })
      hooks.fixups.add(
        (request) => {
          const stream = streamOf(request)
          if (stream === null) return DECLINED
          const config = configOf(request)
          choosePushes(request, stream, config.push ?? true)
          setEnvironment(request, stream)
          if (request.main === null && request.prev === null) {
            hintEarly(request, stream, config, serverConfigOf(request.server).earlyHints ?? false)
          }
          return OK
        },
        { rank: 'last' },
      )
      hooks.fixupHeaders.add((request) => {
        const stream = streamOf(request)
        if (stream !== null && isRenegotiationForbidden(request)) stream.requireHttp11()
      })
    },
  })
}

/** Whether the request of a stream is an extended CONNECT: no other has this field, which belongs to connections of HTTP/1.1. */
function isWebSocket({ headersIn }: Request): boolean {
  return headersIn.get('Upgrade') === 'websocket'
}

/** Whether the request, or the one that was redirected to this error page, needs a handshake that HTTP/2 does not admit. */
function isRenegotiationForbidden(request: Request): boolean {
  for (let one: Request | null = request; one !== null; one = one.prev)
    if (one.notes.has('ssl-renegotiate-forbidden')) return true
  return false
}
