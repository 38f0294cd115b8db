import type { MaybePromise, Request, Table } from '@gatewright/api'
import type { HeadersConfig } from './config.ts'
import { changeResponseFields } from './response-fields.ts'
import type { Rule } from './rule.ts'
import type { RuleHost } from './value.ts'
import { WRITERS_FIELDS } from './writers-fields.ts'

/**
 * Decides which rules a response gets. Whatever a handler answers gets both sets, whether 200, 304 or 412; a page that is made for an error or a
 * redirect gets the `always` rules; what is answered before there is a handler (TRACE, `OPTIONS *`) gets none.
 */
export class Responses {
  readonly #host: RuleHost
  /** The headers that a request had when its handler was called. An error page does away with them, which is how it is known. */
  readonly #handled = new WeakMap<Request, Table>()

  constructor(host: RuleHost) {
    this.#host = host
  }

  /** The handler is about to be called. */
  begin(request: Request, config: Readonly<HeadersConfig>): void {
    if (config.onSuccess.length > 0 || config.always.length > 0) this.#handled.set(request, request.headersOut)
  }

  /** The head is about to be written. */
  finish(request: Request, config: Readonly<HeadersConfig>): MaybePromise<void> {
    const { onSuccess, always, touchesWritersFields } = config
    const changing = onSuccess.length > 0 || always.length > 0 ? this.#change(request, onSuccess, always) : undefined
    if (!touchesWritersFields) return changing
    return changing instanceof Promise ? changing.then(() => dropWritersFields(request)) : dropWritersFields(request)
  }

  #change(request: Request, onSuccess: readonly Rule[], always: readonly Rule[]): MaybePromise<void> {
    const host = this.#host
    if (this.#handled.get(request) === request.headersOut) {
      this.#trace(request, 'trace2', 'AH01502', 'ap_headers_output_filter')
      const changing = changeResponseFields(request, request.errHeadersOut, always, host)
      if (changing instanceof Promise) {
        return changing.then(() => changeResponseFields(request, request.headersOut, onSuccess, host))
      }
      return changeResponseFields(request, request.headersOut, onSuccess, host)
    }
    if (request.status !== 200 && always.length > 0) {
      this.#trace(request, 'debug', 'AH01503', 'ap_headers_error_filter')
      return changeResponseFields(request, request.errHeadersOut, always, host)
    }
  }

  #trace({ server }: Request, level: 'trace2' | 'debug', code: string, name: string): void {
    if (this.#host.log.enabled(server, level)) this.#host.log.write(server, level, code, `headers: ${name}()`)
  }
}

/** Takes out what the host writes from what it knows, as it would be sent twice. */
function dropWritersFields({ headersOut, errHeadersOut }: Request): void {
  for (const name of WRITERS_FIELDS) {
    headersOut.unset(name)
    errHeadersOut.unset(name)
  }
}
