import { ConnectionPool, type PoolOptions, type UpstreamError, type UpstreamTarget } from '@gatewright/upstream'
import { type CgiHead, FastcgiExchange, type FastcgiListener, type FastcgiRequest } from '../src/index.ts'

/** What a listener has received. */
export class Collected implements FastcgiListener {
  head: CgiHead | null = null
  body = ''
  stderr: string[] = []
  error: UpstreamError | null = null
  exitStatus = -1
  readonly done: Promise<Collected>
  // Private, so that a comparison does not look into sockets.
  #exchange: FastcgiExchange | null = null
  #resolve: (self: Collected) => void = () => {}

  get exchange(): FastcgiExchange | null {
    return this.#exchange
  }

  set exchange(exchange: FastcgiExchange) {
    this.#exchange = exchange
  }

  constructor() {
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  onHead(head: CgiHead): void {
    this.head = head
  }

  onData(chunk: Buffer): void {
    this.body += chunk.toString('latin1')
  }

  onStderr(text: string): void {
    this.stderr.push(text)
  }

  onEnd(exitStatus: number): void {
    this.exitStatus = exitStatus
    this.#resolve(this)
  }

  onError(error: UpstreamError): void {
    this.error = error
    this.#resolve(this)
  }

  get result(): object {
    return {
      status: this.head?.status,
      reason: this.head?.reason,
      invalidStatus: this.head?.invalidStatus,
      fields: [...(this.head?.fields ?? [])],
      body: this.body,
      stderr: this.stderr,
      exitStatus: this.exitStatus,
      error: this.error?.code,
      detail: this.error?.detail,
    }
  }
}

export function poolOf(target: UpstreamTarget, options: Partial<PoolOptions> = {}): ConnectionPool {
  return new ConnectionPool({
    target,
    tls: null,
    max: 0,
    min: 0,
    smax: 0,
    ttl: 100,
    acquireTimeout: -1,
    queue: -1,
    connectTimeout: 0,
    keepAlive: false,
    reuse: true,
    ...options,
  })
}

export function fastcgiRequest(options: Partial<FastcgiRequest> = {}): FastcgiRequest {
  return { params: [], keepConnection: true, body: null, streams: false, timeout: 0, ...options }
}

export function start(pool: ConnectionPool, request: FastcgiRequest, collected: Collected = new Collected()): Collected {
  pool.acquire({
    onConnection(connection) {
      collected.exchange = new FastcgiExchange(connection, request, collected)
    },
    onError: (error) => collected.onError(error),
  })
  return collected
}

/** The parameters of a request for a script. */
export function scriptParams(file: string, extra: Record<string, string> = {}): [string, string][] {
  const params = {
    SCRIPT_FILENAME: file,
    SCRIPT_NAME: '/x.php',
    REQUEST_METHOD: 'GET',
    REQUEST_URI: '/x.php',
    SERVER_PROTOCOL: 'HTTP/1.1',
    GATEWAY_INTERFACE: 'CGI/1.1',
    QUERY_STRING: '',
    ...extra,
  }
  return Object.entries(params)
}
