import { HTTP_INTERNAL_SERVER_ERROR, type ModuleLog, type Outcome, type Request } from '@gatewright/api'
import { ScriptHeadReader } from '@gatewright/cgi'
import { FastcgiExchange, type FastcgiListener } from '@gatewright/fastcgi'
import type { UpstreamError } from '@gatewright/upstream'
import { logErrorStream } from './error-stream.ts'
import { logFailure } from './failures.ts'
import type { ConnectedProcess } from './processes.ts'

/** What a program has decided. */
export interface Answer {
  readonly status: number
  /** Whether it sends the client elsewhere, which is no grant. */
  readonly redirects: boolean
  /** `Variable-NAME` fields, without their prefix. */
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** Other fields, which the client gets. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const VARIABLE = 'variable-'
/** Bytes of a page that are read and dropped: a program that writes more is ended. */
const DROPPED_MAX = 1024 * 1024
/** Fields about the page of the program, which nobody gets, and those that are this server's. */
const OMITTED: ReadonlySet<string> = new Set([
  ...['content-length', 'content-type', 'content-range', 'transfer-encoding', 'connection', 'date', 'server'],
  ...['etag', 'last-modified', 'location', 'status', 'te', 'trailer', 'upgrade'],
])

/** Reads the answer of a program about access: its head. */
export class AnswerReader implements FastcgiListener {
  readonly #request: Request
  readonly #process: ConnectedProcess
  readonly #log: ModuleLog
  readonly #head = new ScriptHeadReader()
  readonly #settled = Promise.withResolvers<Answer | Outcome>()
  #exchange: FastcgiExchange | null = null
  #isRefused = false
  /** Bytes of output after the head. */
  #dropped = 0

  constructor(request: Request, process: ConnectedProcess, log: ModuleLog) {
    this.#request = request
    this.#process = process
    this.#log = log
  }

  read(params: readonly (readonly [name: string, value: string])[]): Promise<Answer | Outcome> {
    const { connection, options } = this.#process
    const question = { params, keepConnection: false, body: null, streams: false, timeout: options.ioTimeout * 1000 }
    this.#exchange = new FastcgiExchange(connection, { ...question, role: 'authorizer', output: 'raw' }, this)
    return this.#settled.promise
  }

  onHead(): void {}

  onData(chunk: Buffer): void {
    if (this.#head.head !== null || this.#isRefused) {
      this.#dropped += chunk.length
      if (this.#dropped <= DROPPED_MAX) return
      this.#exchange?.abort()
      this.#process.lease.release('communication error')
      this.#settle()
      return
    }
    this.#isRefused = this.#head.read(chunk) === 'refused'
  }

  onEnd(): void {
    this.#process.lease.release('served')
    this.#settle()
  }

  #settle(): void {
    const { head } = this.#head
    if (head === null) return this.#fail()
    const isVariable = ([name]: readonly [string, string]): boolean => name.toLowerCase().startsWith(VARIABLE)
    this.#settled.resolve({
      status: head.statusLine === null ? 200 : head.status,
      redirects: head.fields.some(([name]) => name.toLowerCase() === 'location'),
      variables: head.fields.filter(isVariable).map(([name, value]) => [name.slice(VARIABLE.length), value]),
      fields: head.fields.filter((field) => !isVariable(field) && !OMITTED.has(field[0].toLowerCase())),
    })
  }

  onStderr(text: string): void {
    logErrorStream(this.#request, this.#log, text)
  }

  onError(error: UpstreamError): void {
    this.#process.lease.release('communication error')
    logFailure(this.#request, error, this.#process, this.#log)
    this.#fail()
  }

  #fail(): void {
    const { filename } = this.#request
    const name = filename.slice(filename.lastIndexOf('/') + 1)
    this.#log.write(this.#request, 'error', '', `End of script output before headers: ${name}`)
    this.#settled.resolve(HTTP_INTERNAL_SERVER_ERROR)
  }
}
