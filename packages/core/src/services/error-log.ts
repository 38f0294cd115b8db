import type { LogLevelName, LogSubject, ModuleLog, OsError, Request } from '@gatewright/api'
import {
  compileErrorLogFormat,
  createErrorLineFormatter,
  type DestinationRegistry,
  type ErrorLineFormatter,
  type ErrorLogRequest,
  type ErrorRecord,
  isRecordDestination,
  isWritten,
  LEVELS,
  type LevelSettings,
  type LogDestination,
  osError,
  UNSET_LEVELS,
} from '@gatewright/log'
import { ConnectionRecord } from '../request/connection-record.ts'
import { RequestRecord } from '../request/request-record.ts'
import { ServerRecord } from '../server/server-record.ts'

/** Whose message it is: its tag and its source name. */
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
  readonly format: ErrorLineFormatter
  readonly connectionFormats: readonly ErrorLineFormatter[]
  readonly requestFormats: readonly ErrorLineFormatter[]
}

/** Further places that see every message, as a console while the server stays in the foreground. */
export type RecordListener = (record: ErrorRecord, line: string) => void

/** The error logs of a generation. Until they are opened, messages go to whoever listens. */
export class ErrorLogs {
  private readonly registry: DestinationRegistry
  private readonly main: ServerRecord
  private readonly logs = new Map<ServerRecord, ServerLog>()
  private readonly plain: ErrorLineFormatter = createErrorLineFormatter()
  private readonly listeners: RecordListener[] = []
  private idCounter = 0

  constructor(registry: DestinationRegistry, main: ServerRecord) {
    this.registry = registry
    this.main = main
  }

  listen(listener: RecordListener): void {
    this.listeners.push(listener)
  }

  /** Opens the log of every server. @throws the system's error, with the path in `path` */
  open(servers: readonly ServerRecord[], fallback: string): void {
    for (const server of servers) {
      const target = server.core.errorLog ?? this.main.core.errorLog ?? fallback
      this.logs.set(server, {
        destination: this.destinationOf(target),
        format: formatOf(server.core.errorLogFormat) ?? this.plain,
        connectionFormats: server.core.connectionLogFormats.flatMap((format) => formatOf(format, 'connection') ?? []),
        requestFormats: server.core.requestLogFormats.flatMap((format) => formatOf(format, 'request') ?? []),
      })
    }
  }

  private destinationOf(target: string): LogDestination {
    if (target === '/dev/stderr') return this.registry.descriptor(2)
    if (target === '/dev/stdout') return this.registry.descriptor(1)
    return this.registry.file(target)
  }

  /** The log of one module. */
  forModule(owner: LogOwner): ModuleLog & CoreLog {
    return {
      enabled: (subject, level) => isWritten(levelsOf(subject, this.main), owner.shortName, LEVELS[level], 'file'),
      write: (subject, level, code, text, cause) => this.write(subject, owner, level, code, text, cause),
    }
  }

  write(subject: LogSubject, owner: LogOwner, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void {
    if (!isWritten(levelsOf(subject, this.main), owner.shortName, LEVELS[level], 'file')) return
    const request = subject instanceof RequestRecord ? subject : undefined
    const connection = request === undefined ? (subject instanceof ConnectionRecord ? subject : undefined) : request.connection
    const server =
      request?.server ??
      (subject instanceof ServerRecord ? subject : connection instanceof ConnectionRecord ? connection.baseServer : this.main)
    const record: ErrorRecord = {
      time: now(),
      module: owner.shortName,
      level: LEVELS[level],
      pid: process.pid,
      tid: process.pid,
      sourceFile: owner.source,
      sourceLine: 0,
      osError: cause === undefined ? undefined : cause instanceof Error ? osError(cause) : cause,
      client: clientOf(request, connection instanceof ConnectionRecord ? connection : undefined),
      code,
      message: text,
      referer: request?.headersIn.get('referer'),
      serverName: server.serverName,
      connection: connection instanceof ConnectionRecord ? connectionItems(connection) : undefined,
      request: request === undefined ? undefined : requestItems(request),
    }
    const log = this.logs.get(server) ?? this.logs.get(this.main)
    this.writeOnce(log, record, request, connection instanceof ConnectionRecord ? connection : undefined)
    const line = (log?.format ?? this.plain)(record)
    if (line !== '' && log !== undefined) put(log.destination, record, line)
    for (const listener of this.listeners) listener(record, line)
  }

  /** The lines that `ErrorLogFormat connection` and `request` ask for before the first message of each. */
  private writeOnce(
    log: ServerLog | undefined,
    record: ErrorRecord,
    request: RequestRecord | undefined,
    connection: ConnectionRecord | undefined,
  ): void {
    if (connection !== undefined && !connection.logged) {
      connection.logged = true
      connection.logId = this.newId()
      for (const format of log?.connectionFormats ?? []) this.writeExtra(log, format(record))
    }
    if (request !== undefined && request.logId === '') {
      request.logId = this.newId()
      for (const format of log?.requestFormats ?? []) this.writeExtra(log, format({ ...record, request: requestItems(request) }))
    }
  }

  private writeExtra(log: ServerLog | undefined, line: string): void {
    if (line !== '') log?.destination.write(line)
  }

  /** A log id: 11 characters, from time, process and a counter. */
  newId(): string {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32LE(Math.floor(now() * 1000) % 0x1_0000_0000, 0)
    bytes.writeUInt16LE(process.pid & 0xffff, 4)
    bytes.writeUInt16LE(this.idCounter++ & 0xffff, 6)
    return bytes.toString('base64').slice(0, 11)
  }
}

function put(destination: LogDestination, record: ErrorRecord, line: string): void {
  if (isRecordDestination(destination)) destination.writeRecord(record)
  else destination.write(line)
}

function formatOf(format: string | undefined, kind?: 'connection' | 'request'): ErrorLineFormatter | undefined {
  if (format === undefined) return undefined
  const compiled = kind === undefined ? compileErrorLogFormat(format) : compileErrorLogFormat(kind, format)
  return typeof compiled === 'string' ? undefined : compiled.formatter
}

function levelsOf(subject: LogSubject, main: ServerRecord): LevelSettings {
  if (subject instanceof RequestRecord) return subject.config.core.levels ?? UNSET_LEVELS
  const server = subject instanceof ServerRecord ? subject : subject instanceof ConnectionRecord ? subject.baseServer : main
  return server.base?.core.levels ?? server.defaults?.core?.levels ?? UNSET_LEVELS
}

/** A client behind a proxy has no port of its own here: 0. */
function clientOf(request: RequestRecord | undefined, connection: ConnectionRecord | undefined): string | undefined {
  if (connection === undefined) return undefined
  const address = request?.useragentAddress ?? connection.remoteAddress
  return `${address}:${address === connection.remoteAddress ? connection.remotePort : 0}`
}

function connectionItems(connection: ConnectionRecord): NonNullable<ErrorRecord['connection']> {
  return {
    peer: `${connection.remoteAddress}:${connection.remotePort}`,
    local: `${connection.localAddress}:${connection.localPort}`,
    keepAlives: connection.keepalives,
    logId: connection.logId,
  }
}

function requestItems(request: RequestRecord & Request): ErrorLogRequest {
  return {
    serverName: request.serverName(),
    logId: request.logId,
    header: (name) => request.headersIn.get(name),
    env: (name) => request.existingEnv?.get(name),
    note: (name) => request.existingNotes?.get(name),
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
