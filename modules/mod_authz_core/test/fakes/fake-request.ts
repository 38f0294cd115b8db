import { type DirectoryConfig, type Fields, MethodSet, type Request, type Server, Table } from '@gatewright/api'

export const METHODS: readonly string[] = ['GET', 'PUT', 'POST', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'FOO']

export function methodNumber(name: string): number | undefined {
  const number = METHODS.indexOf(name === 'HEAD' ? 'GET' : name)
  return number < 0 ? undefined : number
}

export function methodSet(...names: string[]): MethodSet {
  return MethodSet.of(...names.map((name) => methodNumber(name) ?? 26))
}

export const fakeServer: Server = {
  serverName: 'localhost',
  serverPort: 80,
  scheme: 'http',
  serverAdmin: null,
  documentRoot: '/docs',
  isVirtual: false,
  addresses: [],
  file: 'httpd.conf',
  line: 0,
  timeout: 60_000,
  keepAliveTimeout: 5_000,
  limitRequestLine: 8190,
  moduleConfig: [],
}

/** Properties of a test's request; by default a plain GET of /f.txt from 127.0.0.1. */
export interface RequestFacts {
  readonly method?: string
  readonly uri?: string
  readonly filename?: string
  readonly from?: string
  readonly user?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly server?: Server
  readonly config?: DirectoryConfig
  readonly withOverlay?: Request['withOverlay']
}

export function fakeRequest(facts: RequestFacts = {}): Request {
  const { method = 'GET', uri = '/f.txt', from = '127.0.0.1', server = fakeServer } = facts
  const env = new Table()
  for (const [name, value] of Object.entries(facts.env ?? {})) env.add(name, value)
  return {
    connection: {
      remoteAddress: from,
      remotePort: 4711,
      localAddress: '127.0.0.1',
      localPort: 80,
      keepalives: 0,
      baseServer: server,
      aborted: false,
      expectPreface: () => undefined,
      onClose: unused,
    },
    server,
    work: { spend: () => false, pause: () => Promise.resolve() },
    main: null,
    prev: null,
    requestLine: `${method} ${uri} HTTP/1.1`,
    method,
    methodNumber: methodNumber(method) ?? 26,
    headerOnly: method === 'HEAD',
    protocol: 'HTTP/1.1',
    version: 1001,
    unparsedUri: uri,
    uri,
    args: null,
    filename: facts.filename ?? `/docs${uri}`,
    pathInfo: '',
    fileInfo: null,
    handler: null,
    contentType: null,
    contentLanguages: [],
    contentEncoding: null,
    variantsFrom: null,
    noCache: false,
    status: 200,
    user: facts.user ?? null,
    authType: null,
    refusedBy: '',
    useragentAddress: from,
    useragentPort: 40_001,
    headersIn: new FakeFields(facts.headers ?? {}),
    headersOut: new Table(),
    errHeadersOut: new Table(),
    notes: new Table(),
    env,
    allowed: new Set(),
    contextPrefix: '',
    contextDocumentRoot: '/docs',
    documentRoot: null,
    receivedAt: 0,
    tracer: null,
    config: facts.config ?? { slots: [], sections: [] },
    send: unused,
    sendText: unused,
    sendJson: unused,
    respond: unused,
    addOutputFilter: unused,
    addInputFilter: unused,
    run: unused,
    readBody: unused,
    discardBody: unused,
    lookupUri: unused,
    lookupFile: unused,
    lookupEntry: unused,
    hasOption: unused,
    setValidators: unused,
    meetsConditions: unused,
    internalRedirect: unused,
    fastRedirect: unused,
    withOverlay: facts.withOverlay ?? unused,
    absoluteUrl: unused,
    serverName: () => server.serverName,
    serverPort: () => 80,
    onDone: unused,
  }
}

function unused(): never {
  throw new Error('not part of this test')
}

class FakeFields implements Fields {
  readonly #values = new Map<string, string>()

  constructor(values: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(values)) this.set(name, value)
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase())
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value)
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values[Symbol.iterator]()
  }
}
