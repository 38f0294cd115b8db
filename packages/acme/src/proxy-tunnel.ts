import type { ClientRequest, request as httpRequest, RequestOptions } from 'node:http'
import type { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect, rootCertificates, type TLSSocket } from 'node:tls'
import type { ProxyOptions } from './https-client.ts'

/** A way through a proxy to a server of HTTPS. */
export interface TunnelPlan {
  readonly proxy: ProxyOptions
  readonly target: URL
  /** PEM of the authorities of the target. */
  readonly authorities: string | string[]
  /** Milliseconds. */
  readonly timeLimit: number
  /** Node's clients of both protocols. */
  readonly request: { readonly httpRequest: typeof httpRequest; readonly httpsRequest: typeof httpsRequest }
}

/** Asks a proxy to connect (RFC 9110 section 9.3.6), and secures what it connected. @throws Error when either fails */
export async function connectThrough({ proxy, target, authorities, timeLimit, request }: TunnelPlan): Promise<TLSSocket> {
  const to = `${target.hostname}:${target.port === '' ? 443 : target.port}`
  const url = new URL(proxy.url)
  const options: RequestOptions = { method: 'CONNECT', host: hostOf(url), port: url.port, path: to, headers: { Host: to } }
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    options.headers = { Host: to, 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
  }
  const asked =
    url.protocol === 'https:'
      ? request.httpsRequest({
          ...options,
          port: url.port || 443,
          agent: false,
          ca: proxy.authorities ?? [...rootCertificates],
        })
      : request.httpRequest({ ...options, port: url.port || 80, agent: false })
  const socket = await connected(asked, timeLimit)
  return await secured(socket, hostOf(target), authorities, timeLimit)
}

function connected(asked: ClientRequest, timeLimit: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    asked.setTimeout(timeLimit, () => asked.destroy(new Error('the proxy does not answer')))
    asked.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy answers ${answer.statusCode}`))
    })
    asked.on('response', (answer) => {
      answer.destroy()
      reject(new Error(`the proxy answers ${answer.statusCode}`))
    })
    asked.on('error', reject)
    asked.end()
  })
}

function secured(socket: Socket, host: string, ca: string | string[], timeLimit: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const tls = connect({ socket, ca, servername: host, host, minVersion: 'TLSv1.2' }, () => {
      tls.setTimeout(0)
      resolve(tls)
    })
    tls.setTimeout(timeLimit, () => tls.destroy(new Error('no TLS handshake through the proxy')))
    tls.on('error', reject)
  })
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
