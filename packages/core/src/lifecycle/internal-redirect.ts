import { DONE, HTTP_INTERNAL_SERVER_ERROR, type MaybePromise, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { redirectedRequest } from './redirected-request.ts'
import { runPhases } from './run-phases.ts'
import type { Sequences } from './sequences.ts'
import type { RequestServer } from './serve-request.ts'

/** What modules do when they redirect a request internally. */
export class InternalRedirects {
  readonly #server: RequestServer
  readonly #sequences: Sequences
  readonly #log: CoreLog

  constructor(server: RequestServer, sequences: Sequences, log: CoreLog) {
    this.#server = server
    this.#sequences = sequences
    this.#log = log
  }

  /**
   * Serves another URI of this server in place of a request.
   * @returns DONE if the response was sent; for a sub-request, whose response is not sent, the outcome of the
   * handler that served the other URI
   */
  redirect(request: RequestRecord, uri: string, contentType: string | null): MaybePromise<Outcome> {
    const next = redirectedRequest(request, uri, this.#log)
    if (next === null) return HTTP_INTERNAL_SERVER_ERROR
    next.contentType = contentType
    if (request.main !== null || request.asker !== null) {
      const sequence = request.main === null ? this.#sequences.asked : this.#sequences.redirectedSub
      const outcome = runPhases(sequence, next, sequence.redirected)
      return typeof outcome === 'number' ? outcome : whileRedirecting(request, outcome)
    }
    const served = this.#server.serveRedirected(next)
    // The original request must not respond while the new one is still finding its error document.
    return served instanceof Promise ? whileRedirecting(request, served).then(() => DONE) : DONE
  }
}

/** Records that a function of the request waits for another request. */
function whileRedirecting<T>(request: RequestRecord, serving: Promise<T>): Promise<T> {
  request.redirecting++
  return serving.finally(() => {
    request.redirecting--
  })
}
