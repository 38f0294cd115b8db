import { posix } from 'node:path'
import {
  DONE,
  HTTP_INTERNAL_SERVER_ERROR,
  httpStatus,
  M_GET,
  type MaybePromise,
  OK,
  type Outcome,
  type SubResponse,
  whenSettled,
} from '@gatewright/api'
import { escapeUriPath, requireByteText } from '@gatewright/api/text'
import { withoutLeadingSlashes } from '@gatewright/http'
import type { StatCache } from '../base/file-info.ts'
import type { MethodRegistry } from '../base/method-registry.ts'
import { fieldsForSubrequest } from '../base/sub-request-fields.ts'
import { withoutPathInfo } from '../base/uri-path.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { FilterChain } from '../response/filter-chain.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import { copyClient, STANDARD_RECURSION_LIMIT, setTarget, tooManyRedirects } from './next-request.ts'
import { afterOutcome, runPhases } from './run-phases.ts'
import type { Sequences } from './sequences.ts'
import { subResponse } from './sub-response.ts'
import { readUriOfFile } from './uri.ts'

export interface SubrequestsParts {
  readonly sequences: Sequences
  readonly filters: FilterChain
  readonly files: FileCache
  readonly stats: StatCache
  readonly methods: MethodRegistry
  readonly log: CoreLog
}

/**
 * Sub-requests: requests within a request that look up the result for another URI or file, and may then be run.
 */
export class Subrequests {
  readonly #sequences: Sequences
  readonly #filters: FilterChain
  readonly #files: FileCache
  readonly #stats: StatCache
  readonly #methods: MethodRegistry
  readonly #log: CoreLog

  constructor({ sequences, filters, files, stats, methods, log }: SubrequestsParts) {
    this.#sequences = sequences
    this.#methods = methods
    this.#filters = filters
    this.#files = files
    this.#stats = stats
    this.#log = log
  }

  /** A sub-request for a URI: all phases up to fixups. Its status shows whether it would be served. */
  lookupUri(request: RequestRecord, uri: string, method: string): MaybePromise<RequestRecord> {
    requireByteText('the URI of a sub-request', uri)
    const sub = this.#newSubrequest(request)
    sub.method = method
    sub.methodNumber = this.#methods.numberOf(method)
    sub.headerOnly = method === 'HEAD'
    // The folder's URI was decoded, so it must be encoded again.
    const absolute = uri.startsWith('/') ? uri : `${escapeUriPath(request.uri.slice(0, request.uri.lastIndexOf('/') + 1))}${uri}`
    setTarget(sub, absolute)
    if (this.#tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    return this.#look(sub, this.#sequences.lookupUri)
  }

  /** A sub-request for a file: skips the phases that process URIs. */
  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord> {
    requireByteText('the file of a sub-request', path)
    const sub = this.#newSubrequest(request)
    const absolute = path.startsWith('/')
    const folder = request.filename.slice(0, request.filename.lastIndexOf('/') + 1)
    sub.filename = absolute ? path : posix.normalize(`${folder}${path}`)
    const beside = sub.filename.startsWith(folder) ? sub.filename.slice(folder.length) : ''
    // Only a file in the folder of a request that has a URI has one.
    const hasUri = beside !== '' && !beside.includes('/') && request.uri !== ''
    if (this.#tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    const target = hasUri ? `${request.uri.slice(0, request.uri.lastIndexOf('/') + 1)}${beside}` : path
    setTarget(sub, target.startsWith('/') ? target : `/${target}`)
    sub.unparsedUri = target
    const outcome = readUriOfFile(sub, this.#log)
    if (!hasUri) sub.uri = ''
    return outcome === OK ? this.#look(sub, this.#sequences.lookupFile) : refused(sub, outcome)
  }

  /** A sub-request for an entry of the request's folder. */
  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord> {
    requireByteText('the entry of a sub-request', args === null ? name : `${name}?${args}`)
    const sub = this.#newSubrequest(request)
    const filename = `${request.filename.slice(0, request.filename.lastIndexOf('/') + 1)}${name}`
    const found = this.#stats.stat(filename)
    const slash = typeof found === 'object' && found.kind === 'directory' ? '/' : ''
    sub.filename = filename + slash
    // The path info was already removed from the file name; the entry takes it over.
    const uri = request.pathInfo === '' ? request.uri : withoutPathInfo(request.uri, request.pathInfo)
    // httpd parses this URI like the target of a request, so MergeSlashes does not apply to its first slashes.
    sub.uri = withoutLeadingSlashes(`${uri.slice(0, uri.lastIndexOf('/') + 1)}${name}${slash}${request.pathInfo}`)
    sub.pathInfo = request.pathInfo
    sub.unparsedUri = sub.uri
    sub.args = args
    if (this.#tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    return this.#look(sub, this.#sequences.lookupFile)
  }

  /** Generates the response of a sub-request that was looked up. */
  run(sub: RequestRecord): MaybePromise<SubResponse> {
    if (sub.status !== 200) return subResponse(sub, httpStatus(sub.status), this.#files)
    return afterOutcome(runPhases(this.#sequences.run, sub, 0), sub, this.#filter)
  }

  /** The response of a sub-request is that of the last request to which it was redirected. */
  readonly #filter = (sub: RequestRecord, outcome: Outcome): MaybePromise<SubResponse> => {
    const { final } = sub
    if ((outcome !== OK && outcome !== DONE) || final.outputFilters === null) return subResponse(final, outcome, this.#files)
    return whenSettled(this.#filters.pass(final), (filtered) => subResponse(final, filtered, this.#files))
  }

  /** Runs the phases of a sub-request up to fixups. Its status shows whether it would be served. */
  #look(sub: RequestRecord, from: number): MaybePromise<RequestRecord> {
    return afterOutcome(runPhases(this.#sequences.lookup, sub, from), sub, noteStatus)
  }

  #newSubrequest(request: RequestRecord): RequestRecord {
    const sub = new RequestRecord(
      request.host,
      request.connection,
      null,
      request.server,
      request.keptBody === null ? fieldsForSubrequest(request.headersIn) : request.headersIn.copy(),
      request,
      null,
    )
    copyClient(sub, request)
    sub.takeKeptBody(request)
    // Conditions are about the response to the client.
    sub.ignoresConditions = true
    // Redirects from a sub-request use the server's port, not the port in the Host field.
    sub.hostPort = 0
    sub.method = 'GET'
    sub.methodNumber = M_GET
    sub.subrequestDepth = request.subrequestDepth + 1
    sub.redirectDepth = request.redirectDepth
    for (const [name, value] of request.existingEnv ?? []) sub.env.set(name, value)
    return sub
  }

  #tooDeep(sub: RequestRecord): boolean {
    if (tooManyRedirects(sub, this.#log)) return true
    const limit = sub.server.core.subrequestLimit ?? STANDARD_RECURSION_LIMIT
    if (sub.subrequestDepth <= limit) return false
    const text = `Request exceeded the limit of ${limit} subrequest nesting levels due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
    this.#log.write(sub, 'error', 'AH00125', text)
    return true
  }
}

function noteStatus(sub: RequestRecord, outcome: Outcome): RequestRecord {
  if (outcome !== OK && outcome !== DONE) sub.status = outcome
  return sub
}

function refused(sub: RequestRecord, outcome: Outcome): RequestRecord {
  sub.status = outcome
  return sub
}
