import type { DecisionTracer } from '@gatewright/api/tracing'
import { MemoryTransport, wireBytes } from '@gatewright/http'
import type { WorkerServer } from './contract.ts'

export interface InjectOptions {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or a text with one character per byte. */
  readonly body?: string | Uint8Array
  readonly remoteAddress?: string
  readonly localAddress?: string
  readonly localPort?: number
  readonly version?: string
  /** Receives the access decisions; the response then has no body. */
  readonly tracer?: DecisionTracer
}

/** The response to an injected request; all text is one byte per character. */
export interface InjectedResponse {
  readonly status: number
  readonly statusLine: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** The first field with a name, in any case. */
  header(name: string): string | undefined
}

/** Time limit of an injected request. */
const INJECT_TIMEOUT = 30_000

/** Runs one request without a socket. A character above U+00FF in the request is a TypeError. */
export function inject(server: Pick<WorkerServer, 'inject'>, options: InjectOptions): Promise<InjectedResponse> {
  const { method = 'GET', target, headers = {}, body, version = 'HTTP/1.1' } = options
  const fields: Record<string, string> = { Host: 'localhost', Connection: 'close', ...headers }
  if (body !== undefined && fields['Content-Length'] === undefined) fields['Content-Length'] = String(body.length)
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const transport = new MemoryTransport({
    remoteAddress: options.remoteAddress ?? '127.0.0.1',
    remotePort: 50_000,
    localAddress: options.localAddress,
    localPort: options.localPort ?? 80,
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer to ${method} ${target}`)), INJECT_TIMEOUT)
    transport.onChange = () => {
      if (!transport.ended && !transport.closed) return
      clearTimeout(timer)
      transport.onChange = null
      resolve(readResponse(transport.text))
    }
    server.inject(transport, options.tracer ?? null)
    transport.feed(wireBytes(`${method} ${target} ${version}\r\n${head.join('')}\r\n`))
    if (body !== undefined && body.length > 0) transport.feed(typeof body === 'string' ? wireBytes(body) : Buffer.from(body))
    transport.feedEnd()
  })
}

/** Splits a server's output; interim responses are omitted. Status 0 for an output without a response. */
export function readResponse(text: string): InjectedResponse {
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...fieldLines] = (end < 0 ? rest : rest.slice(0, end)).split('\r\n')
    const status = Number(statusLine.split(' ')[1] ?? 0)
    const body = end < 0 ? '' : rest.slice(end + 4)
    if (status >= 100 && status < 200) {
      rest = body
      continue
    }
    const headers = fieldLines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const header = (name: string): string | undefined => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
    const chunked = header('Transfer-Encoding')?.toLowerCase() === 'chunked'
    return { status, statusLine, headers, body: chunked ? unchunk(body) : body, header }
  }
}

function unchunk(body: string): string {
  let out = ''
  let at = 0
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, lineEnd), 16)
    if (lineEnd < 0 || !(size > 0)) return out
    out += body.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
  }
}
