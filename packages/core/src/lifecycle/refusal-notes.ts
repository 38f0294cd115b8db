import type { OsError } from '@gatewright/api'
import type { Refusal } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/**
 * Records why the engine rejected a request: in the error log, under the names of httpd's modules, and for
 * the error page.
 */
export class RefusalNotes {
  readonly #core: CoreLog
  readonly #http: CoreLog

  constructor(core: CoreLog, http: CoreLog) {
    this.#core = core
    this.#http = http
  }

  /** All lines about a rejection, the most specific one first. */
  take(request: RequestRecord, { log, note }: Refusal): void {
    for (let line = log; line !== null; line = line.next) {
      const target = line.module === 'http' ? this.#http : this.#core
      target.write(request, line.level, line.code, line.text, parseErrno(line.errno))
    }
    if (note !== '') request.notes.set('error-notes', note)
  }
}

/** `(22)Invalid argument`, as the engine reports it, or '' if there is none. */
function parseErrno(text: string): OsError | undefined {
  const match = /^\((\d+)\)(.*)$/.exec(text)
  return match === null ? undefined : { code: Number(match[1]), text: match[2] }
}
