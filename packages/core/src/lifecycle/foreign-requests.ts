import {
  DONE,
  type ForeignRequest,
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  type MaybePromise,
  OK,
  type Outcome,
  whenSettled,
} from '@gatewright/api'
import { requireByteText } from '@gatewright/api/text'
import { checkHost, parseTarget } from '@gatewright/http'
import { errorMessage } from '../base/error-text.ts'
import type { MethodRegistry } from '../base/method-registry.ts'
import { fieldsOfForeign } from '../base/sub-request-fields.ts'
import { ForeignConnection } from '../model/foreign-connection.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { HookRunner } from './run-hook.ts'
import { afterOutcome, runPhases } from './run-phases.ts'
import type { Sequences } from './sequences.ts'

/** The handler by which mod_rewrite serves another URI after the rules of a folder. */
const REDIRECT_HANDLER = 'redirect-handler'

export interface ForeignRequestsParts {
  readonly sequences: Sequences
  readonly handlers: HookRunner
  readonly methods: MethodRegistry
  readonly log: CoreLog
}

/**
 * Requests that another server received and asks about. They pass every phase of a client's request up to fixups, so the
 * decision is that of serving them here; nothing is served.
 */
export class ForeignRequests {
  readonly #parts: ForeignRequestsParts

  constructor(parts: ForeignRequestsParts) {
    this.#parts = parts
  }

  /** @returns the request that was decided last; its status is 200 only if access was granted */
  lookup(asker: RequestRecord, foreign: ForeignRequest): MaybePromise<RequestRecord> {
    const request = this.#newRequest(asker, foreign)
    if (request === null) return this.#refused(asker, foreign)
    const { asked } = this.#parts.sequences
    return afterOutcome(runPhases(asked, request, 0), request, this.#conclude)
  }

  /** Continues a request that the rules of a folder have replaced by another one. */
  readonly #conclude = (request: RequestRecord, outcome: Outcome): MaybePromise<RequestRecord> => {
    if (outcome !== OK || request.handler !== REDIRECT_HANDLER) return concluded(request, outcome)
    return whenSettled(this.#parts.handlers.run(request), (redirected) =>
      request.next === null ? concluded(request, redirected) : this.#conclude(request.next, redirected),
    )
  }

  #newRequest(asker: RequestRecord, foreign: ForeignRequest): RequestRecord | null {
    const { method, target, host, without } = foreign
    requireByteText('the target of a foreign request', target)
    const uri = parseTarget(target, method)
    if (uri.error !== '' || uri.form !== 'origin' || uri.fragment !== null) return null
    const fields = fieldsOfForeign(asker.headersIn, without, host)
    const { hostname, port, refusal } = checkHost(fields, asker.version, true)
    if (hostname === null || refusal !== null) return null
    const connection = new ForeignConnection(asker.connection, foreign, (used) => this.#cleanUpWith(asker, used))
    const request = new RequestRecord(asker.host, connection, null, connection.baseServer, fields, null, null)
    request.asker = asker
    request.observer = foreign.observer
    request.requestLine = `${method} ${target} ${asker.protocol}`
    request.protocol = asker.protocol
    request.version = asker.version
    request.method = method
    request.methodNumber = this.#parts.methods.numberOf(method)
    request.headerOnly = true
    request.unparsedUri = target
    request.uri = uri.path
    request.args = uri.query
    request.hostname = hostname
    request.namesHost = true
    request.hostPort = port
    request.receivedAt = asker.receivedAt
    request.receivedAtUs = asker.receivedAtUs
    request.logId = asker.logId
    request.subrequestDepth = asker.subrequestDepth + 1
    return request
  }

  #cleanUpWith(asker: RequestRecord, connection: ForeignConnection): void {
    asker.onDone(() =>
      connection.over((error) => this.#parts.log.write(asker, 'crit', '', `a cleanup failed: ${errorMessage(error)}`)),
    )
  }

  /** A target or a host that no client could have sent. */
  #refused(asker: RequestRecord, foreign: ForeignRequest): RequestRecord {
    const connection = new ForeignConnection(asker.connection, foreign, (used) => this.#cleanUpWith(asker, used))
    const request = new RequestRecord(asker.host, connection, null, asker.server, asker.headersIn.copy(), null, null)
    request.asker = asker
    request.status = HTTP_BAD_REQUEST
    return request
  }
}

/** Whatever ended the request before its access was decided has not granted it. */
function concluded(request: RequestRecord, outcome: Outcome): RequestRecord {
  if (outcome !== OK && outcome !== DONE) request.status = outcome
  else if (!request.accessGranted) request.status = HTTP_FORBIDDEN
  return request
}
