import {
  type Body,
  type Connection,
  type DirectoryConfig,
  type Fields,
  type FileInfo,
  httpStatus,
  type InputFilter,
  M_GET,
  type MaybePromise,
  OK,
  type Outcome,
  type OutputFilter,
  type Overlay,
  type Request,
  type Server,
  Table,
  type Work,
} from '@gatewright/api'
import type { Html } from '@gatewright/api/text'

/** The default server of fake requests and configurations. */
export const mainServer: Server = fakeServer({ serverName: 'main.test' })

export function fakeServer(changes: Partial<Server> = {}): Server {
  return {
    serverName: 'server.test',
    serverPort: 0,
    scheme: 'http',
    serverAdmin: null,
    documentRoot: '/srv/docs',
    isVirtual: false,
    addresses: [],
    file: '/srv/conf/httpd.conf',
    line: 0,
    timeout: 60_000,
    keepAliveTimeout: 5000,
    limitRequestLine: 8190,
    moduleConfig: [],
    ...changes,
  }
}

export function fakeConnection(changes: Partial<Connection> = {}): Connection {
  return {
    remoteAddress: '192.0.2.7',
    remotePort: 40_001,
    localAddress: '192.0.2.1',
    localPort: 8080,
    keepalives: 0,
    baseServer: mainServer,
    aborted: false,
    expectPreface: () => undefined,
    onClose: () => undefined,
    ...changes,
  }
}

export function fakeFile(kind: FileInfo['kind'] = 'file'): FileInfo {
  return { kind, size: 6, mtimeMs: 0, inode: 1, device: 1, mode: 0o644, uid: 0, gid: 0 }
}

/** Header fields in a Table. */
export class FakeFields implements Fields {
  readonly #table = new Table()

  constructor(fields: Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Object.entries(fields)) this.#table.add(name, value)
  }

  get(name: string): string | undefined {
    const values = this.#table.getAll(name)
    return values.length === 0 ? undefined : values.join(', ')
  }

  has(name: string): boolean {
    return this.#table.has(name)
  }

  set(name: string, value: string): void {
    this.#table.set(name, value)
  }

  delete(name: string): void {
    this.#table.unset(name)
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#table[Symbol.iterator]()
  }
}

/**
 * A request for `/`, with defaults for everything that a test does not set. `found` provides the results of
 * lookups; responses are stored in `sent`.
 */
export class FakeRequest implements Request {
  connection: Connection = fakeConnection()
  server: Server = mainServer
  main: Request | null = null
  prev: Request | null = null
  requestLine = 'GET / HTTP/1.1'
  method = 'GET'
  methodNumber: number = M_GET
  headerOnly = false
  protocol = 'HTTP/1.1'
  version = 1001
  unparsedUri = '/'
  uri = '/'
  args: string | null = null
  filename = ''
  pathInfo = ''
  fileInfo: FileInfo | null = null
  handler: string | null = null
  contentType: string | null = null
  contentLanguages: readonly string[] = []
  contentEncoding: string | null = null
  variantsFrom: FileInfo | null = null
  noCache = false
  status = 200
  user: string | null = null
  authType: string | null = null
  refusedBy = ''
  useragentAddress = '192.0.2.7'
  useragentPort = 40_001
  headersIn: FakeFields = new FakeFields()
  headersOut: Table = new Table()
  errHeadersOut: Table = new Table()
  notes: Table = new Table()
  env: Table = new Table()
  allowed: Set<string> | null = null
  contextPrefix = ''
  contextDocumentRoot = '/srv/docs'
  documentRoot: string | null = null
  receivedAt = 1_795_240_205_313.213
  readonly tracer: null = null
  readonly work: Work = { spend: () => false, pause: () => Promise.resolve() }
  config: DirectoryConfig = { slots: [], sections: [] }
  /** The result of lookupUri; the requested URIs are in `lookedUp`. */
  found: (uri: string) => MaybePromise<Request> = (uri) => fakeRequest({ uri, status: 404 })
  lookedUp: string[] = []
  redirectedTo: Request | null = null
  sent: { contentType: string; body: Body } | null = null
  /** Filters and names of filters that were added. */
  addedFilters: (OutputFilter | InputFilter | string)[] = []

  send(contentType: string, body: Body): Outcome {
    this.sent = { contentType, body }
    return OK
  }

  sendText(contentType: string, text: string | Html): Outcome {
    return this.send(contentType, Buffer.from(String(text)))
  }

  sendJson(value: unknown): Outcome {
    return this.sendText('application/json', JSON.stringify(value))
  }

  respond(body: Body): Outcome {
    return this.send(this.contentType ?? '', body)
  }

  addOutputFilter(filter: OutputFilter | string): void {
    this.addedFilters.push(filter)
  }

  addInputFilter(filter: InputFilter | string): void {
    this.addedFilters.push(filter)
  }

  run(): never {
    throw new Error('not part of these tests')
  }

  async *readBody(): AsyncIterable<Uint8Array> {}

  discardBody(): Outcome {
    return OK
  }

  lookupUri(uri: string): MaybePromise<Request> {
    this.lookedUp.push(uri)
    return this.found(uri)
  }

  lookupFile(): Request {
    return fakeRequest({ status: 404 })
  }

  lookupEntry(): Request {
    return fakeRequest({ status: 404 })
  }

  hasOption(): boolean {
    return false
  }

  setValidators(): void {}

  meetsConditions(): Outcome {
    return OK
  }

  internalRedirect(): Outcome {
    return httpStatus(500)
  }

  fastRedirect(sub: Request): void {
    this.redirectedTo = sub
  }

  withOverlay<T>(_overlay: Overlay, check: () => MaybePromise<T>): MaybePromise<T> {
    return check()
  }

  absoluteUrl(path: string): string {
    return `http://host.test${path}`
  }

  serverName(): string {
    return 'host.test'
  }

  serverPort(): number {
    return 80
  }

  onDone(): void {}
}

export function fakeRequest(changes: Partial<FakeRequest> = {}): FakeRequest {
  return Object.assign(new FakeRequest(), changes)
}

/** A table of the given entries. */
export function tableOf(entries: Readonly<Record<string, string>>): Table {
  const table = new Table()
  for (const [name, value] of Object.entries(entries)) table.add(name, value)
  return table
}
