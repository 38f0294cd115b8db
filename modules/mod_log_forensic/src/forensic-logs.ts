import type { LogTarget, ModuleHost, Problem, Request, Server } from '@gatewright/api'
import { firstLine, lastLine } from './forensic-line.ts'
import type { ForensicServer } from './index.ts'

const NOTE = 'forensic-id'

/** The logs of all servers, by their target. */
export class ForensicLogs {
  readonly #host: ModuleHost<undefined, ForensicServer>
  readonly #targets = new Map<string, LogTarget>()
  readonly #ids
  #count = 0

  constructor(host: ModuleHost<undefined, ForensicServer>) {
    this.#host = host
    this.#ids = host.requestSlot<string>()
  }

  /** Programs start before everything else. */
  openPrograms(servers: readonly Server[]): Problem | undefined {
    for (const server of servers) {
      const target = this.#targetOf(server)
      if (target?.startsWith('|') !== true || this.#targets.has(target)) continue
      try {
        this.#targets.set(target, this.#host.services.openLog(target, server))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return { code: 'AH00650', message: `couldn't spawn forensic log pipe ${target.slice(1)}`, hint: error.message }
      }
    }
    return undefined
  }

  open(servers: readonly Server[]): string | undefined {
    for (const server of servers) {
      const target = this.#targetOf(server)
      if (target === undefined || this.#targets.has(target)) continue
      try {
        this.#targets.set(target, this.#host.services.openLog(target, server))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        this.#host.log.write(server, 'error', 'AH00651', `could not open forensic log file ${target}.`, error)
        return ''
      }
    }
    return undefined
  }

  /** Logs a request, before anything is done for it: a crash must not lose the line. */
  begin(request: Request): void {
    const target = this.#logOf(request)
    if (target === undefined) return
    const id = request.env.get('UNIQUE_ID') ?? this.#nextId(request)
    this.#ids.set(request, id)
    request.notes.set(NOTE, id)
    target.write(firstLine(id, request))
    // A program that does not read must not delay requests.
    if (this.#targetOf(request.server)?.startsWith('|') !== true) target.flush()
  }

  end(request: Request): void {
    const id = this.#ids.get(request)
    if (id !== undefined) this.#logOf(request)?.write(lastLine(id))
  }

  #nextId({ receivedAt }: Request): string {
    this.#count = (this.#count + 1) % 2 ** 32
    return `${process.pid}:${Math.floor(receivedAt / 1000).toString(16)}:${this.#count.toString(16)}`
  }

  #logOf({ server }: Request): LogTarget | undefined {
    const target = this.#targetOf(server)
    return target === undefined ? undefined : this.#targets.get(target)
  }

  #targetOf(server: Server): string | undefined {
    return this.#host.serverConfigOf(server).target
  }
}
