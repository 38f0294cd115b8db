import { posix } from 'node:path'
import {
  BodyRefused,
  type FilteredBody,
  type HostServices,
  HTTP_INTERNAL_SERVER_ERROR,
  type InputFilter,
  type ModuleLog,
  type OsError,
  type Outcome,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import { decodePercent, escapeShell, systemError } from '@gatewright/api/text'
import type { FilterPrograms } from '@gatewright/cgi'
import type { ExtFilterConfig } from './config.ts'
import type { DefinedFilter } from './definition.ts'

/** What filters need of the module. */
export interface FilterParts {
  readonly programs: FilterPrograms
  readonly services: HostServices
  readonly log: ModuleLog
  configOf(request: Request): Readonly<ExtFilterConfig>
}

/** Output of a body in memory up to this many bytes is sent with its length. */
const WHOLE = 64 * 1024

/** A filter that is a program. */
export class ExternalFilter implements OutputFilter {
  readonly name: string
  readonly rank: number
  readonly #defined: DefinedFilter
  #parts: FilterParts | null = null

  constructor(defined: DefinedFilter) {
    this.#defined = defined
    this.name = defined.name
    this.rank = defined.rank
  }

  /** Gives it what it needs to run, before requests arrive. */
  attach(parts: FilterParts): void {
    this.#parts = parts
  }

  /** The same filter for bodies of requests. */
  get ofRequests(): InputFilter {
    return {
      name: this.name,
      rank: this.rank,
      filter: (request, body) => (this.#applies(request, null) ? this.#changedRequest(request, body) : body),
    }
  }

  async filter(request: Request, body: FilteredBody): Promise<FilteredBody | Outcome> {
    const defined = this.#defined
    if (!this.#applies(request, defined.inType)) return body
    const output = await this.#run(request, body instanceof Uint8Array ? once(body) : body)
    if (!(Symbol.asyncIterator in output)) {
      const removes = this.#partsNow.configOf(request).removesFailed === true
      this.#report(
        request,
        `AH01467`,
        `can't initialise output filter ${this.name}: ${removes ? 'removing' : 'aborting'}`,
        output.cause,
      )
      return removes ? body : HTTP_INTERNAL_SERVER_ERROR
    }
    if (defined.outType !== null) request.contentType = defined.outType
    if (!defined.preservesLength) request.headersOut.unset('Content-Length')
    return body instanceof Uint8Array ? collected(output) : output
  }

  get #partsNow(): FilterParts {
    if (this.#parts === null) throw new Error('the filter is used before the server has started')
    return this.#parts
  }

  #applies(request: Request, inType: string | null): boolean {
    const { enabledBy, disabledBy } = this.#defined
    if (enabledBy !== null && !request.env.has(enabledBy)) return false
    if (disabledBy !== null && request.env.has(disabledBy)) return false
    return inType === null || request.contentType?.toLowerCase() === inType
  }

  /** The output of the program, or why it does not run. */
  async #run(
    request: Request,
    body: AsyncIterable<Uint8Array>,
  ): Promise<AsyncIterable<Uint8Array> | { readonly cause: OsError | undefined }> {
    const { programs, services, configOf } = this.#partsNow
    const [name = '', ...args] = this.#defined.command
    const file = posix.resolve('/', name)
    const env = variablesOf(request, services)
    const logsErrors = configOf(request).logStderr === true
    const output = await programs.pass(request, { file, name, args, env, logsErrors }, body)
    if (output === 'busy') return { cause: undefined }
    if (!('errno' in output)) return output
    const cause = systemError(output.errno)
    this.#report(request, 'AH01458', `couldn't create child process to run \`${name}'`, cause)
    return { cause }
  }

  #report(request: Request, code: string, text: string, cause: OsError | undefined): void {
    this.#partsNow.log.write(request, 'error', code, text, cause)
  }

  async *#changedRequest(request: Request, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (!this.#defined.preservesLength) request.headersIn.delete('Content-Length')
    const output = await this.#run(request, body)
    if (Symbol.asyncIterator in output) {
      yield* output
      return
    }
    this.#report(request, 'AH01470', `can't initialise input filter ${this.name}: aborting`, output.cause)
    throw new BodyRefused('the filter of the body does not run', HTTP_INTERNAL_SERVER_ERROR)
  }
}

/** The environment of a program: that of CGI with what httpd adds for filters. */
function variablesOf(request: Request, services: HostServices): Iterable<readonly [string, string]> {
  const variables = services.cgiVariables(request)
  variables.set('DOCUMENT_URI', request.uri)
  variables.set('DOCUMENT_PATH_INFO', request.pathInfo)
  if (request.args !== null) variables.set('QUERY_STRING_UNESCAPED', escapeShell(decodePercent(request.args)))
  return variables
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.length > 0) yield body
}

/** The output as bytes if it is short; otherwise as a stream. */
async function collected(output: AsyncIterable<Uint8Array>): Promise<FilteredBody> {
  const reader = output[Symbol.asyncIterator]()
  const pieces: Uint8Array[] = []
  let length = 0
  while (length <= WHOLE) {
    const piece = await reader.next()
    if (piece.done === true) return Buffer.concat(pieces)
    pieces.push(piece.value)
    length += piece.value.length
  }
  return continued(pieces, reader)
}

async function* continued(pieces: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ended = false
  try {
    yield* pieces
    for (;;) {
      const piece = await rest.next()
      ended = piece.done === true
      if (piece.done === true) return
      yield piece.value
    }
  } finally {
    if (!ended) await rest.return?.()
  }
}
