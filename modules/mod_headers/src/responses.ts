import type { MaybePromise, Request, Table } from '@gatewright/api'
import type { HeadersConfig } from './config.ts'
import { changeResponseFields } from './response-fields.ts'
import type { Rule } from './rule.ts'
import type { RuleHost } from './value.ts'
import { WRITERS_FIELDS } from './writers-fields.ts'

const RANGE_NOT_SATISFIABLE = 416

/**
 * Decides which rules apply to a response. The response of a handler gets both sets, whether 200, 304 or 412;
 * an error page or a redirect gets the `always` rules; a response that needs no handler (TRACE, `OPTIONS *`)
 * gets none.
 */
export class Responses {
  readonly #host: RuleHost
  readonly #isStream: (request: Request) => boolean
  /**
   * The header table of each request when its handler was called. An error page replaces the table, which is
   * how it is recognized.
   */
  readonly #handled = new WeakMap<Request, Table>()

  /** @param isStream whether a request came by HTTP/2 */
  constructor(host: RuleHost, isStream: (request: Request) => boolean) {
    this.#host = host
    this.#isStream = isStream
  }

  /** Called before the handler. */
  begin(request: Request, config: Readonly<HeadersConfig>): void {
    if (config.onSuccess.length > 0 || config.always.length > 0) this.#handled.set(request, request.headersOut)
  }

  /** Called before the response head is written. */
  finish(request: Request, config: Readonly<HeadersConfig>): MaybePromise<void> {
    const { onSuccess, always, touchesWritersFields } = config
    const changing = onSuccess.length > 0 || always.length > 0 ? this.#change(request, onSuccess, always) : undefined
    if (!touchesWritersFields || request.proxyRequest !== null) return changing
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
    // A handler may ask for a page with the status 200.
    if ((request.status !== 200 || this.#handled.has(request)) && always.length > 0) {
      this.#trace(request, 'debug', 'AH01503', 'ap_headers_error_filter')
      if (this.#isRangeRefusal(request)) {
        const changing = changeResponseFields(request, request.headersOut, always, host)
        if (changing instanceof Promise)
          return changing.then(() => changeResponseFields(request, request.errHeadersOut, always, host))
      }
      return changeResponseFields(request, request.errHeadersOut, always, host)
    }
  }

  /**
   * Whether the page replaces a response whose ranges do not exist, over HTTP/2: mod_http2 decides so after the rules were
   * applied, which are then applied once more to the page.
   */
  #isRangeRefusal(request: Request): boolean {
    return request.status === RANGE_NOT_SATISFIABLE && this.#handled.has(request) && this.#isStream(request)
  }

  #trace({ server }: Request, level: 'trace2' | 'debug', code: string, name: string): void {
    if (this.#host.log.enabled(server, level)) this.#host.log.write(server, level, code, `headers: ${name}()`)
  }
}

/** Removes fields that the host writes itself, because they would be sent twice. */
function dropWritersFields({ headersOut, errHeadersOut }: Request): void {
  for (const name of WRITERS_FIELDS) {
    headersOut.unset(name)
    errHeadersOut.unset(name)
  }
}
