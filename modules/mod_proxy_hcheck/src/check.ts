import type { ProxyWorker } from '@gatewright/api'
import {
  HttpClientExchange,
  RESPONSE_LIMITS,
  type UpstreamConnection,
  UpstreamError,
  type UpstreamTarget,
  unkeptConnections,
} from '@gatewright/upstream'
import type { CheckSettings } from './check-settings.ts'
import { cping } from './cping.ts'
import type { CheckedResponse } from './health-expression.ts'

/** More of a body is not kept for expressions, in bytes. */
const BODY_LIMIT = 64 * 1024

/** What a check found: a response, a connection alone, or why there is none. */
export type CheckResult = { readonly response: CheckedResponse | null } | { readonly error: UpstreamError }

/** Checks a member once. @param timeout in milliseconds */
export async function check(member: ProxyWorker, settings: CheckSettings, timeout: number): Promise<CheckResult> {
  const target = targetOf(member)
  const pool = unkeptConnections(target, timeout)
  try {
    const connection = await new Promise<UpstreamConnection | UpstreamError>((resolve) => {
      pool.acquire({ onConnection: resolve, onError: resolve })
    })
    if (connection instanceof UpstreamError) return { error: connection }
    if (settings.method === 'CPING') {
      const error = await cping(connection, timeout)
      return error === null ? { response: null } : { error }
    }
    // A backend that speaks another protocol, or TLS, is healthy if it accepts connections.
    if (settings.method === 'TCP' || member.scheme !== 'http') {
      connection.destroy()
      return { response: null }
    }
    return await exchange(connection, requestHead(member, settings), settings, timeout)
  } finally {
    pool.close()
  }
}

function targetOf({ socketPath, hostname, port, scheme }: ProxyWorker): UpstreamTarget {
  if (socketPath !== null) return { path: socketPath }
  const standard = scheme === 'https' || scheme === 'wss' ? 443 : scheme === 'ajp' ? 8009 : scheme === 'fcgi' ? 8000 : 80
  return { host: hostname, port: port === 0 ? standard : port }
}

/** `GET /path HTTP/1.0` and the name of the backend. */
export function requestHead(member: Pick<ProxyWorker, 'name' | 'hostname' | 'port'>, settings: CheckSettings): string {
  const { method } = settings
  const is11 = method.endsWith('11')
  const host = `${member.hostname}:${member.port === 0 ? 80 : member.port}`
  const closing = is11 ? 'Connection: close\r\n' : ''
  const target = targetOfCheck(member, settings)
  return `${is11 ? method.slice(0, -2) : method} ${target} HTTP/1.${is11 ? 1 : 0}\r\nHost: ${host}\r\n${closing}\r\n`
}

/** As in httpd, OPTIONS is about the server, and a slash stands between the path of a member and hcuri. */
function targetOfCheck({ name }: Pick<ProxyWorker, 'name'>, { method, uri }: CheckSettings): string {
  if (method.startsWith('OPTIONS')) return '*'
  const start = name.indexOf('/', name.indexOf('://') + 3)
  if (start < 0) return uri === '' ? '/' : uri
  return uri === '' ? name.slice(start) : `${name.slice(start)}/${uri}`
}

function exchange(
  connection: UpstreamConnection,
  head: string,
  { method }: CheckSettings,
  timeout: number,
): Promise<CheckResult> {
  return new Promise((resolve) => {
    let status = 0
    const chunks: Buffer[] = []
    let length = 0
    const request = {
      head,
      method: method.replace('11', ''),
      body: null,
      framing: 'none',
      upgrade: false,
      limits: RESPONSE_LIMITS,
      timeout,
      pingTimeout: 0,
      badHeader: 'error',
      http09: 'refused',
    } as const
    new HttpClientExchange(connection, request, {
      onInterim: () => {},
      onHead: (message) => {
        status = message.status
      },
      onData: (chunk) => {
        if (length >= BODY_LIMIT) return
        length += chunk.length
        chunks.push(Buffer.from(chunk))
      },
      onEnd: () => resolve({ response: { status, body: Buffer.concat(chunks).toString('latin1') } }),
      onError: (error) => resolve({ error }),
    })
  })
}
