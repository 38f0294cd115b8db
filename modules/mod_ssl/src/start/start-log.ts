import type { LogLevelName, ModuleLog, OsError, Server } from '@gatewright/api'
import { StartRefused } from './start-refused.ts'

/** The error log about one server while the module gets ready. */
export class StartLog {
  readonly #log: ModuleLog
  readonly #server: Server

  constructor(log: ModuleLog, server: Server) {
    this.#log = log
    this.#server = server
  }

  write(level: LogLevelName, code: string, text: string, cause?: OsError | Error): void {
    this.#log.write(this.#server, level, code, text, cause)
  }

  /** Logs why, and what OpenSSL says of it. The start ends. */
  refuse(code: string, text: string, library?: Error): never {
    this.write('emerg', code, text)
    if (library !== undefined) this.libraryError('emerg', library)
    throw new StartRefused(text)
  }

  /** The same with httpd's closing line, which most failures have. */
  die(code: string, text: string, library?: Error): never {
    this.write('emerg', code, text)
    if (library !== undefined) this.libraryError('emerg', library)
    this.closingLine()
    throw new StartRefused(text)
  }

  closingLine(): void {
    this.#log.write(null, 'emerg', 'AH02312', 'Fatal error initialising mod_ssl, exiting.')
  }

  /** Only the library's own words: Node's may contain more. */
  libraryError(level: LogLevelName, { message }: Error): void {
    const [words] = /error:[0-9A-F]+:[^:]*:[^:]*:[^:\n]*/.exec(message) ?? []
    this.write(level, '', `SSL Library Error: ${words ?? message.split('\n', 1)[0]}`)
  }
}
