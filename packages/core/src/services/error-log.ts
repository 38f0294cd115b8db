import { performance } from 'node:perf_hooks'
import type { LogLevelName, LogSubject, ModuleLog, OsError, Request, SubjectLog } from '@gatewright/api'
import {
  compileErrorLogFormat,
  createErrorLineFormatter,
  type ErrorLineFormatter,
  type ErrorLogRequest,
  type ErrorRecord,
  formatSyslogLine,
  isRecordDestination,
  isWritten,
  LEVELS,
  type LevelSettings,
  type LogDestination,
  type LogMedium,
  osError,
  osErrorText,
  UNSET_LEVELS,
  withSeverity,
} from '@gatewright/log'
import { LogIds } from '../base/log-ids.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ConfigReporter } from '../model/server-configuration.ts'
import { ServerRecord } from '../model/server-record.ts'
import type { LogTargets } from './log-target.ts'
import { isSyslog } from './syslog.ts'

/** The source of a message: its tag and its source name. */
export interface LogOwner {
  readonly shortName: string
  readonly source: string
}

/** Core's own view of the error log. */
export interface CoreLog {
  write(subject: LogSubject, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void
  enabled(subject: LogSubject, level: LogLevelName): boolean
}

interface ServerLog {
  readonly destination: LogDestination
  readonly medium: LogMedium
  readonly format: ErrorLineFormatter
  readonly connectionFormats: readonly ErrorLineFormatter[]
  readonly requestFormats: readonly ErrorLineFormatter[]
  /** Lines may show more of connections and requests than the standard ones do. */
  readonly isDetailed: boolean
}

/** Additional outputs for every message, such as a console while the server runs in the foreground. */
export type RecordListener = (record: ErrorRecord, line: string) => void

/** The error logs of a configuration. Until they are opened, messages go to the registered listeners. */
export class ErrorLogs {
  readonly #targets: LogTargets
  readonly #main: ServerRecord
  readonly #logs = new Map<ServerRecord, ServerLog>()
  readonly #plain: ErrorLineFormatter = createErrorLineFormatter()
  readonly #listeners: RecordListener[] = []
  readonly #unopened: ConfigReporter
  readonly #ids = new LogIds()
  #target: string | undefined

  /** @param unopened receives the messages from before the logs are open */
  constructor(targets: LogTargets, main: ServerRecord, unopened: ConfigReporter) {
    this.#targets = targets
    this.#unopened = unopened
    this.#main = main
  }

  listen(listener: RecordListener): void {
    this.#listeners.push(listener)
  }

  /**
   * Opens the log of every server.
   * @throws the system's error, with the path in `path`
   */
  open(servers: readonly ServerRecord[], fallback: string): void {
    this.#target = this.#main.core.errorLog ?? fallback
    for (const server of servers) {
      const target = server.core.errorLog ?? this.#target
      const forSyslog = isSyslog(target)
      const marked = forSyslog ? withSeverity : same
      const destination = this.#targets.open(target)
      const { errorLogFormat, connectionLogFormats, requestLogFormats } = server.core
      const own = formatOf(errorLogFormat)
      this.#logs.set(server, {
        destination,
        medium: forSyslog ? 'syslog' : 'file',
        format: marked(own ?? (forSyslog ? formatSyslogLine : this.#plain)),
        connectionFormats: connectionLogFormats.flatMap((format) => formatOf(format, 'connection') ?? []).map(marked),
        requestFormats: requestLogFormats.flatMap((format) => formatOf(format, 'request') ?? []).map(marked),
        isDetailed:
          isRecordDestination(destination) ||
          own !== undefined ||
          connectionLogFormats.length > 0 ||
          requestLogFormats.length > 0,
      })
    }
  }

  /** The destination of the main server's error log; undefined before the logs are open. */
  get mainTarget(): string | undefined {
    return this.#target
  }

  /** The target of the main server's lines; undefined before the logs are open. */
  get mainDestination(): LogDestination | undefined {
    return this.#logs.get(this.#main)?.destination
  }

  /** The log of one module. */
  forModule(owner: LogOwner): ModuleLog & CoreLog {
    const writer =
      (subject: LogSubject, level: LogLevelName): SubjectLog['error'] =>
      (text, cause) =>
        this.write(subject, owner, level, '', text, cause)
    return {
      enabled: (subject, level) => isWritten(levelsOf(subject, this.#main), owner.shortName, LEVELS[level], 'file'),
      write: (subject, level, code, text, cause) => this.write(subject, owner, level, code, text, cause),
      about: (subject) => ({
        error: writer(subject, 'error'),
        warn: writer(subject, 'warn'),
        notice: writer(subject, 'notice'),
        info: writer(subject, 'info'),
        debug: writer(subject, 'debug'),
      }),
    }
  }

  write(subject: LogSubject, owner: LogOwner, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void {
    const request = subject instanceof RequestRecord ? subject : undefined
    // Denials are counted at every LogLevel.
    if (request !== undefined && code !== '' && LEVELS[level] <= LEVELS.error) {
      request.errorModule = owner.shortName
      request.errorCode = code
    }
    if (!isWritten(levelsOf(subject, this.#main), owner.shortName, LEVELS[level], 'file')) return
    const connection = connectionOf(subject)
    const server = request?.server ?? (subject instanceof ServerRecord ? subject : (connection?.baseServer ?? this.#main))
    const firstOfConnection = connection !== undefined && connection.logId === null
    const firstOfRequest = request !== undefined && request.logId === null
    const time = now()
    const log = this.#logs.get(server) ?? this.#logs.get(this.#main)
    const isDetailed = log === undefined || log.isDetailed || this.#listeners.length > 0
    if (firstOfConnection) connection.logId = this.#ids.next(time)
    if (firstOfRequest) request.logId = this.#ids.next(time)
    const record: ErrorRecord = {
      time,
      module: owner.shortName,
      level: LEVELS[level],
      pid: process.pid,
      tid: process.pid,
      sourceFile: owner.source,
      sourceLine: 0,
      osError: cause === undefined ? undefined : cause instanceof Error ? osError(cause) : cause,
      client: clientOf(request, connection),
      isOfStream: request !== undefined && isOfStream(request),
      code,
      message: text,
      referer: request?.headersIn.get('referer'),
      serverName: server.serverName,
      connection: connection === undefined || !isDetailed ? undefined : connectionItems(connection),
      request: request === undefined || !isDetailed ? undefined : requestItems(request),
    }
    if (log === undefined) {
      this.#report(record, level)
      this.#tell(record, this.#plain(record))
      return
    }
    if (log.medium === 'syslog' && !isWritten(levelsOf(subject, this.#main), owner.shortName, LEVELS[level], 'syslog')) return
    // The lines that ErrorLogFormat requires before the first message of a connection or a request.
    if (firstOfConnection) for (const format of log.connectionFormats) put(log.destination, record, format(record))
    if (firstOfRequest) for (const format of log.requestFormats) put(log.destination, record, format(record))
    const line = log.format(record)
    put(log.destination, record, line)
    this.#tell(record, line)
  }

  #tell(record: ErrorRecord, line: string): void {
    for (const listener of this.#listeners) listener(record, line)
  }

  /** A message from before the logs are open. */
  #report({ module, code = '', message, osError: cause }: ErrorRecord, level: LogLevelName): void {
    if (cause === undefined) this.#unopened(module, level, code, message)
    else this.#unopened(module, level, '', `${osErrorText(cause)}: ${code}: ${message}`)
  }
}

/** Sub-requests have no exchange of their own. */
function isOfStream({ exchange, main }: RequestRecord): boolean {
  return exchange === null ? main !== null && isOfStream(main) : exchange.isStream
}

function same(format: ErrorLineFormatter): ErrorLineFormatter {
  return format
}

function put(destination: LogDestination, record: ErrorRecord, line: string): void {
  if (line === '') return
  if (isRecordDestination(destination)) destination.writeRecord(record)
  else destination.write(line)
}

function formatOf(format: string | undefined, kind?: 'connection' | 'request'): ErrorLineFormatter | undefined {
  if (format === undefined) return undefined
  const compiled = kind === undefined ? compileErrorLogFormat(format) : compileErrorLogFormat(kind, format)
  return typeof compiled === 'string' ? undefined : compiled.formatter
}

function connectionOf(subject: LogSubject): ConnectionRecord | undefined {
  const connection = subject instanceof RequestRecord ? subject.connection : subject
  return connection instanceof ConnectionRecord ? connection : undefined
}

function levelsOf(subject: LogSubject, main: ServerRecord): LevelSettings {
  if (subject instanceof RequestRecord) return subject.config.core.levels ?? UNSET_LEVELS
  const server = subject instanceof ServerRecord ? subject : subject instanceof ConnectionRecord ? subject.baseServer : main
  return server.base?.core.levels ?? server.defaults?.core?.levels ?? UNSET_LEVELS
}

/** The port of a client behind a proxy may be unknown: 0. */
function clientOf(request: RequestRecord | undefined, connection: ConnectionRecord | undefined): string | undefined {
  if (connection === undefined) return undefined
  if (request !== undefined) return `${request.useragentAddress}:${request.useragentPort}`
  return `${connection.remoteAddress}:${connection.remotePort}`
}

function connectionItems(connection: ConnectionRecord): NonNullable<ErrorRecord['connection']> {
  return {
    peer: `${connection.remoteAddress}:${connection.remotePort}`,
    local: `${connection.localAddress}:${connection.localPort}`,
    keepAlives: connection.keepalives,
    logId: connection.logId?.text ?? '',
  }
}

function requestItems(request: RequestRecord & Request): ErrorLogRequest {
  return {
    serverName: request.serverName(),
    logId: request.logId?.text ?? '',
    header: (name) => request.headersIn.get(name),
    env: (name) => request.existingEnv?.get(name),
    note: (name) => request.existingNotes?.get(name),
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
