import type { LogLevelName } from '@gatewright/api'
import {
  type BoundConfiguration,
  ConfigError,
  createRuntime,
  type InjectedResponse,
  inject,
  type LoadOptions,
  loadConfiguration,
  type ServerRuntime,
  type WorkerServer,
} from '@gatewright/core'
import { LEVEL_NAMES } from '@gatewright/log'
import { askBySocket } from './ask-by-socket.ts'
import { ASSUMED_FIELD, AssumedLogin, type Logins } from './assumed-login.ts'
import { digestResponse } from './digest-response.ts'
import { type LocalEnd, localEnd, type WantedEnd } from './local-end.ts'
import type { Credentials, Question } from './question.ts'
import { type Reach, Recorder } from './recorder.ts'
import type { TlsHandshake } from './tls-question.ts'

/** A line that the error log would have. */
export interface LoggedLine {
  readonly module: string
  readonly level: LogLevelName
  /** AH01630, or '' for a message without number. */
  readonly code: string
  readonly message: string
  /** The system error in front of the message, or ''. */
  readonly cause: string
}

/** What a configuration is opened with. */
export interface PolicyServerOptions extends Omit<LoadOptions, 'checkOnly' | 'keepLines' | 'decorateAuthn'> {
  /** `known` if absent. */
  readonly logins?: Logins
  /** `online` if absent. */
  readonly reach?: Reach
  /** Called before modules get ready to serve, which may fail. */
  readonly onLoaded?: (configuration: BoundConfiguration) => void
}

/** The result of a question. */
export interface Reply {
  readonly response: InjectedResponse
  readonly record: Recorder
  readonly log: readonly LoggedLine[]
  /** How the handshake ended; null without one. */
  readonly handshake: TlsHandshake | null
}

/**
 * A configuration that answers questions instead of clients: the server's own code decides, without listening
 * and without logs. It answers one question at a time.
 */
export class PolicyServer {
  readonly configuration: BoundConfiguration
  /** What serves it. */
  readonly worker: WorkerServer
  readonly #runtime: ServerRuntime
  readonly #login: AssumedLogin
  readonly #reach: Reach
  #lines: LoggedLine[] = []

  private constructor(configuration: BoundConfiguration, runtime: ServerRuntime, login: AssumedLogin, reach: Reach) {
    this.#reach = reach
    this.configuration = configuration
    this.#runtime = runtime
    this.worker = runtime.serve()
    this.#login = login
    runtime.onErrorLogLine(({ module, level, code, message, osError }) => {
      const cause = osError === undefined ? '' : `(${osError.code})${osError.text}`
      this.#lines.push({ module, level: LEVEL_NAMES[level], code: code ?? '', message, cause })
    })
  }

  /** @throws ConfigError when the configuration does not load */
  static async open({ logins = 'known', reach = 'online', onLoaded, ...options }: PolicyServerOptions): Promise<PolicyServer> {
    const login = new AssumedLogin(logins)
    const configuration = await loadConfiguration({
      ...options,
      checkOnly: true,
      keepLines: true,
      needsLogFolders: false,
      decorateAuthn: login.decorate,
    })
    onLoaded?.(configuration)
    const runtime = createRuntime(configuration)
    // Modules read their tables here and change nothing; their logs stay shut.
    await getReady(runtime)
    runtime.silence()
    await runtime.initialize()
    return new PolicyServer(configuration, runtime, login, reach)
  }

  /** The local end of a question's connection, or what the question must specify for it. */
  localEnd(wanted: WantedEnd): LocalEnd | { readonly complaint: string } {
    return localEnd(this.configuration.plan.listeners, wanted)
  }

  async ask(question: Question): Promise<Reply> {
    const first = await this.#send(question, this.#basicFields(question))
    const { credentials } = question
    if (credentials === null || first.response.status !== 401) return first
    const password = credentials.password ?? this.#login.password
    const authorization = digestResponse(first.response.header('WWW-Authenticate'), question, credentials.user, password)
    if (authorization === null) return first
    return this.#send(question, { ...this.#assumedField(credentials), Authorization: authorization })
  }

  /** Runs `act` without assigning its log lines to a question. */
  async quietly<T>(act: () => T | Promise<T>): Promise<T> {
    const before = this.#lines
    try {
      return await act()
    } finally {
      this.#lines = before
    }
  }

  /** The addresses of a host name; rejects if the name cannot be looked up. */
  addressesOf(name: string): Promise<readonly string[]> {
    return this.#runtime.addressesOf(name)
  }

  async close(): Promise<void> {
    await this.worker.close()
  }

  #basicFields({ credentials }: Question): Record<string, string> {
    if (credentials === null) return {}
    const pair = `${credentials.user}:${credentials.password ?? this.#login.password}`
    return { ...this.#assumedField(credentials), Authorization: `Basic ${Buffer.from(pair, 'latin1').toString('base64')}` }
  }

  #assumedField({ password }: Credentials): Record<string, string> {
    return password === null ? { [ASSUMED_FIELD]: this.#login.password } : {}
  }

  async #send(question: Question, authorization: Record<string, string>): Promise<Reply> {
    const record = new Recorder(this.#reach, this.#login.password)
    this.#lines = []
    const headers = { Host: question.host, ...authorization, ...Object.fromEntries(question.headers) }
    if (question.tls !== undefined) {
      const { response, handshake } = await askBySocket(this.worker, {
        text: requestText(question, headers),
        ends: { remoteAddress: question.client, localAddress: question.localAddress, localPort: question.localPort },
        tls: question.tls,
        tracer: record,
      })
      return { response, record, log: this.#lines, handshake }
    }
    const response = await inject(this.worker, {
      method: question.method,
      target: question.target,
      headers,
      remoteAddress: question.client,
      localAddress: question.localAddress,
      localPort: question.localPort,
      tracer: record,
    })
    return { response, record, log: this.#lines, handshake: null }
  }
}

function requestText({ method, target }: Question, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ Connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${fields.join('')}\r\n`
}

/** Runs the start of modules. What they would log is why they fail. @throws ConfigError */
async function getReady(runtime: ServerRuntime): Promise<void> {
  const reasons: string[] = []
  let isOver = false
  runtime.onErrorLogLine(({ level, code, message }) => {
    if (!isOver && SEVERE.has(LEVEL_NAMES[level])) reasons.push(code === undefined ? message : `${code}: ${message}`)
  })
  try {
    await runtime.postConfig(false)
  } catch (error) {
    if (!(error instanceof ConfigError) || reasons.length === 0) throw error
    throw new ConfigError('start', error.file, error.line, error.message, error.hint ?? reasons.join('; '))
  } finally {
    isOver = true
  }
}

const SEVERE: ReadonlySet<LogLevelName> = new Set(['emerg', 'alert', 'crit', 'error'])
