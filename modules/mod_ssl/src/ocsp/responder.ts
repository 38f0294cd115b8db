import { request as httpRequest } from 'node:http'

/** No response of a responder is longer (bytes). */
const LONGEST = 256 * 1024
const HTTP_PORT = 80
const TYPE_OF_RESPONSES = 'application/ocsp-response'

/** Where to send requests. */
export interface Responder {
  readonly host: string
  readonly port: number
  readonly path: string
}

/** @returns an error text for a URL that cannot be used */
export function responderOf(url: string): Responder | { readonly error: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || parsed.hostname === '') return { error: `failed to parse OCSP responder URI '${url}'` }
  if (parsed.protocol !== 'http:') return { error: `cannot handle OCSP responder URI '${url}'` }
  const port = parsed.port === '' ? HTTP_PORT : Number(parsed.port)
  // A literal of IPv6 has brackets in a URL alone.
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port, path: `${parsed.pathname}${parsed.search}` }
}

/** How a responder is asked. */
export interface Inquiry {
  readonly request: Uint8Array
  /** Milliseconds for all of it. */
  readonly timeout: number
  /** SSLOCSPProxyURL: gets the request in place of the responder. */
  readonly proxy: Responder | null
}

/** Sends a request. It never rejects. @returns the body of the response, or why there is none */
export function askResponder(to: Responder, { request, timeout, proxy }: Inquiry): Promise<Buffer | { readonly error: string }> {
  const name = to.port === HTTP_PORT ? urlHost(to.host) : `${urlHost(to.host)}:${to.port}`
  const { host, port } = proxy ?? to
  return new Promise((resolve) => {
    const fail = (error: string): void => {
      clearTimeout(late)
      resolve({ error })
      client.destroy()
    }
    const client = httpRequest({
      host,
      port,
      path: proxy === null ? to.path : `http://${name}${to.path}`,
      method: 'POST',
      agent: false,
      headers: { Host: name, 'Content-Type': 'application/ocsp-request', 'Content-Length': request.length, Connection: 'close' },
    })
    const late = setTimeout(() => fail(`no answer within ${timeout / 1000} s`), timeout)
    client.on('error', ({ message }) => fail(message))
    client.on('response', (response) => {
      if (response.statusCode !== 200) return fail(`status ${response.statusCode}`)
      const [type = ''] = (response.headers['content-type'] ?? '').toLowerCase().split(';', 1)
      if (type.trim() !== TYPE_OF_RESPONSES) return fail(`content of type '${type.trim()}'`)
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > LONGEST) fail(`more than ${LONGEST} bytes`)
        else parts.push(part)
      })
      response.on('error', ({ message }) => fail(message))
      response.on('aborted', () => fail('the response is incomplete'))
      response.on('end', () => {
        clearTimeout(late)
        resolve(Buffer.concat(parts))
      })
    })
    client.end(request)
  })
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
