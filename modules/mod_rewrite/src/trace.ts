import { LOG_LEVELS, type ModuleLog, type Request } from '@gatewright/api'

/** Numbers that identify servers and requests in trace lines, in which httpd prints addresses. */
export class TraceNumbers {
  readonly #known = new WeakMap<object, string>()
  #last = 0

  of(thing: object): string {
    let number = this.#known.get(thing)
    if (number === undefined) {
      number = (++this.#last).toString(16)
      this.#known.set(thing, number)
    }
    return number
  }
}

/**
 * Logs what the engine does, in httpd's format. Created only if these lines are logged, so that their texts
 * are not built unnecessarily.
 */
export class Trace {
  readonly #log: ModuleLog
  readonly #request: Request
  readonly #prefix: string

  private constructor(log: ModuleLog, request: Request, numbers: TraceNumbers, clientName: string | null) {
    this.#log = log
    this.#request = request
    const user = request.user === null ? '-' : request.user === '' ? '""' : request.user
    let redirects = 0
    for (let one = request.prev; one !== null; one = one.prev) redirects++
    const round = redirects === 0 ? '' : `/redir#${redirects}`
    const kind = request.main === null ? 'initial' : 'subreq'
    this.#prefix =
      `${clientName ?? request.useragentAddress} - ${user} ` +
      `[${request.serverName()}/sid#${numbers.of(request.server)}][rid#${numbers.of(request)}/${kind}${round}] `
  }

  /** null if no line would be logged. */
  static of(log: ModuleLog, request: Request, numbers: TraceNumbers, clientName: () => string | null): Trace | null {
    return log.enabled(request, 'trace1') ? new Trace(log, request, numbers, clientName()) : null
  }

  /**
   * @param level 1 to 8
   * @param directory the directory of the rules; null for those of a server
   */
  write(level: number, directory: string | null, text: string): void {
    const place = directory === null ? '' : `[perdir ${directory}] `
    this.#log.write(this.#request, LOG_LEVELS[LOG_LEVELS.indexOf('debug') + level], '', `${this.#prefix}${place}${text}`)
  }
}
