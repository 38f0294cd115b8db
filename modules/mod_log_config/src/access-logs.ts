import {
  beforeLogsClose,
  isExpressionError,
  jsonLines,
  type LogTarget,
  type ModuleHost,
  type Problem,
  type Request,
  type Server,
  type Transaction,
  transactionOf,
} from '@gatewright/api'
import { bufferedTarget } from './buffered-target.ts'
import { checkFolder } from './check-folder.ts'
import { compileFormat, type ItemDefinition, type LineWriter } from './compile-format.ts'
import type { FormatLine, LogCondition, LogConfig, LogLine } from './config.ts'
import { JSON_NICKNAME, jsonFormat } from './json-format.ts'
import { CLF } from './parse-format.ts'
import { isPlace, type Place } from './place.ts'
import { isProgram } from './program.ts'

/** A log whose format is compiled. */
interface AccessLog {
  readonly line: LogLine
  readonly format: LineWriter
  target: LogTarget | null
}

/** The access logs of one configuration. */
export class AccessLogs {
  readonly #host: ModuleHost<undefined, LogConfig>
  readonly #items: ReadonlyMap<string, ItemDefinition>
  readonly #logs = new Map<LogLine, AccessLog>()
  readonly #byServer = new Map<Server, readonly AccessLog[]>()
  #lookup: ((request: Request) => Transaction) | undefined

  constructor(host: ModuleHost<undefined, LogConfig>, items: ReadonlyMap<string, ItemDefinition>) {
    this.#host = host
    this.#items = items
  }

  /**
   * Compiles all formats once all nicknames and items of modules are known, checks that the folders exist,
   * and opens programs.
   */
  prepare(servers: readonly Server[]): Problem | undefined {
    for (const server of servers) {
      const config = this.#host.serverConfigOf(server)
      const own: AccessLog[] = []
      for (const line of config.logs) {
        // Virtual hosts share the main server's logs, whose nicknames are those of the main server.
        const log = this.#logs.get(line) ?? this.#prepareLog(line, config)
        if ('message' in log) return log
        own.push(log)
      }
      this.#byServer.set(server, own)
    }
    return undefined
  }

  /** Opens each log once, with the privileges with which the server was started. */
  open(servers: readonly Server[]): string | undefined {
    this.#lookup = this.#host.functions.get(transactionOf)
    const collect = this.#collector(servers)
    for (const [line, log] of this.#logs) {
      try {
        const target = log.target ?? this.#host.services.openLog(line.target, line.server)
        log.target = collect === undefined ? target : collect(target)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        this.#host.log.write(line.server, 'error', 'AH00649', `could not open transfer log file ${line.target}.`, error)
        // The error has been logged.
        return ''
      }
    }
    return undefined
  }

  /** Logs a finished request. Conditions apply to the request as it was sent, before internal redirects. */
  write(request: Request): void {
    const logs = this.#byServer.get(request.server)
    const lookup = this.#lookup
    if (logs === undefined || logs.length === 0 || lookup === undefined) return
    const transaction = lookup(request)
    for (const { line, format, target } of logs) {
      if (target === null) continue
      if (line.condition === null || this.#wanted(transaction.original, line.condition)) target.write(format(transaction))
    }
  }

  #wanted(request: Request, condition: LogCondition): boolean {
    if (condition.kind === 'variable') return request.env.has(condition.name) === (condition.wanted === 'set')
    try {
      return condition.condition.test(request)
    } catch (error) {
      if (!isExpressionError(error)) throw error
      this.#host.log.write(request, 'warn', 'AH00644', `Error evaluating log condition: ${error.message}`)
      return false
    }
  }

  #prepareLog(line: LogLine, config: Readonly<LogConfig>): AccessLog | Problem {
    const missing = checkFolder(line)
    if (missing !== undefined) return missing
    const format = this.#writerFor(line, config)
    if (typeof format !== 'function') return format
    const target = isProgram(line.target) ? this.#openProgram(line) : null
    if (target !== null && 'message' in target) return target
    const log: AccessLog = { line, format, target }
    this.#logs.set(line, log)
    return log
  }

  /** httpd's formats, and JSON under its nickname unless a LogFormat uses that. */
  #writerFor(line: LogLine, config: Readonly<LogConfig>): LineWriter | Problem {
    const { functions } = this.#host
    const nickname = (line.format ?? config.defaultFormat)?.toLowerCase()
    const toJson = nickname === JSON_NICKNAME && !config.formats.has(nickname) ? functions.get(jsonLines) : undefined
    if (toJson !== undefined) return jsonFormat(toJson(), functions)
    const source = formatOf(line, config)
    const format = compileFormat(source.parts, this.#items)
    return typeof format === 'string' ? { message: format, place: isPlace(source) ? source : line } : format
  }

  #openProgram(line: LogLine): LogTarget | Problem {
    try {
      return this.#host.services.openLog(line.target, line.server)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return { code: 'AH00649', message: `could not open transfer log file ${line.target}.`, hint: error.message }
    }
  }

  /**
   * BufferedLogs anywhere applies to all logs, as in httpd, but only if the host reports the end of the
   * worker; otherwise lines would be lost.
   */
  #collector(servers: readonly Server[]): ((target: LogTarget) => LogTarget) | undefined {
    const atEnd = this.#host.functions.get(beforeLogsClose)
    const buffered = servers.some((server) => this.#host.serverConfigOf(server).buffered === true)
    if (!buffered || atEnd === undefined) return undefined
    return (target) => {
      const buffer = bufferedTarget(target)
      atEnd(buffer.flush)
      return buffer
    }
  }
}

/**
 * The format of a log: a nickname takes precedence over the text of a format; the default is that of the
 * server.
 */
function formatOf(line: LogLine, config: Readonly<LogConfig>): Pick<FormatLine, 'parts'> & Partial<Place> {
  const name = line.format ?? config.defaultFormat
  const nickname = name?.toLowerCase()
  const named = nickname === undefined ? undefined : config.formats.get(nickname)
  if (named !== undefined) return named
  if (nickname === 'clf') return { parts: CLF }
  if (line.parts !== null) return { parts: line.parts }
  return config.defaultParts ?? { parts: CLF }
}
