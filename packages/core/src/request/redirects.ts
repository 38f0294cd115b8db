import { posix } from 'node:path'
import {
  DONE,
  escapeUriPath,
  HTTP_INTERNAL_SERVER_ERROR,
  M_GET,
  type MaybePromise,
  OK,
  type Outcome,
  requireByteText,
} from '@gatewright/api'
import { parseTarget } from '@gatewright/http'
import type { CoreLog } from '../services/error-log.ts'
import type { StatCache } from './file-info.ts'
import { readUriOfFile } from './read-uri.ts'
import { RequestRecord } from './request-record.ts'
import { FROM_FILE, FROM_URI, type Road } from './road.ts'
import { withoutPathInfo } from './uri-path.ts'

const STANDARD_LIMIT = 10

/** Requests inside requests: sub-requests look ahead, internal redirects take the place of what was asked for. */
export class Redirects {
  private readonly road: Road
  private readonly stats: StatCache
  private readonly log: CoreLog

  constructor(road: Road, stats: StatCache, log: CoreLog) {
    this.road = road
    this.stats = stats
    this.log = log
  }

  /** A sub-request for a URI: all phases up to fixups. Its status says whether it would be served. */
  lookupUri(request: RequestRecord, uri: string): MaybePromise<RequestRecord> {
    requireByteText('the URI of a sub-request', uri)
    const sub = this.newSubrequest(request)
    // The folder was decoded, and is taken for an encoded path again.
    const absolute = uri.startsWith('/') ? uri : `${escapeUriPath(request.uri.slice(0, request.uri.lastIndexOf('/') + 1))}${uri}`
    setTarget(sub, absolute)
    if (this.tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    return settle(sub, this.road.travel(sub, FROM_URI))
  }

  /** A sub-request for a file: what is done to URIs is skipped. */
  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord> {
    requireByteText('the file of a sub-request', path)
    const sub = this.newSubrequest(request)
    const absolute = path.startsWith('/')
    const folder = request.filename.slice(0, request.filename.lastIndexOf('/') + 1)
    sub.filename = absolute ? path : posix.normalize(`${folder}${path}`)
    const beside = sub.filename.startsWith(folder) ? sub.filename.slice(folder.length) : ''
    // Only a file of the same folder has a URI.
    const hasUri = beside !== '' && !beside.includes('/')
    if (this.tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    // Without a folder of its own, where the request before it has no URI.
    const uri = `${request.uri.slice(0, request.uri.lastIndexOf('/') + 1)}${beside}`
    const told = hasUri ? uri : path
    setTarget(sub, told.startsWith('/') ? told : `/${told}`)
    sub.unparsedUri = told
    const outcome = readUriOfFile(sub, this.log)
    if (!hasUri) sub.uri = ''
    else if (!uri.startsWith('/')) sub.uri = sub.uri.slice(1)
    return outcome === OK ? settle(sub, this.road.travel(sub, FROM_FILE)) : refused(sub, outcome)
  }

  /** A sub-request for an entry of the request's folder. */
  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord> {
    requireByteText('the entry of a sub-request', args === null ? name : `${name}?${args}`)
    const sub = this.newSubrequest(request)
    const filename = `${request.filename.slice(0, request.filename.lastIndexOf('/') + 1)}${name}`
    const found = this.stats.stat(filename)
    const slash = typeof found === 'object' && found.kind === 'directory' ? '/' : ''
    sub.filename = filename + slash
    // The file name has lost its path info already; the entry takes it over.
    const uri = request.pathInfo === '' ? request.uri : withoutPathInfo(request.uri, request.pathInfo)
    sub.uri = `${uri.slice(0, uri.lastIndexOf('/') + 1)}${name}${slash}${request.pathInfo}`
    sub.unparsedUri = sub.uri
    sub.args = args
    if (this.tooDeep(sub)) return refused(sub, HTTP_INTERNAL_SERVER_ERROR)
    return settle(sub, this.road.travel(sub, FROM_FILE))
  }

  private newSubrequest(request: RequestRecord): RequestRecord {
    const sub = new RequestRecord(request.host, request.connection, null, request.server, request.headersIn, {
      main: request,
      prev: null,
    })
    copyClient(sub, request)
    // Redirects that a sub-request makes have the port of the server, not that of the Host field.
    sub.hostPort = 0
    sub.method = 'GET'
    sub.methodNumber = M_GET
    sub.subrequestDepth = request.subrequestDepth + 1
    sub.redirectDepth = request.redirectDepth
    for (const [name, value] of request.existingEnv ?? []) sub.env.set(name, value)
    return sub
  }

  /** Redirects count for the sub-requests made behind them as well. */
  private tooDeep(sub: RequestRecord): boolean {
    if (this.tooManyRedirects(sub)) return true
    const limit = sub.server.core.subrequestLimit ?? STANDARD_LIMIT
    if (sub.subrequestDepth <= limit) return false
    const text = `Request exceeded the limit of ${limit} subrequest nesting levels due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
    this.log.write(sub, 'error', 'AH00125', text)
    return true
  }

  private tooManyRedirects(request: RequestRecord): boolean {
    const limit = request.server.core.redirectLimit ?? STANDARD_LIMIT
    if (request.redirectDepth < limit) return false
    const text = `Request exceeded the limit of ${limit} internal redirects due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
    this.log.write(request, 'error', 'AH00124', text)
    return true
  }

  /** The request that takes the place of another one; null when there were too many already. */
  newRedirect(request: RequestRecord, uri: string): RequestRecord | null {
    requireByteText('the URI of a redirect', uri)
    if (this.tooManyRedirects(request)) return null
    const next = new RequestRecord(request.host, request.connection, request.exchange, request.server, request.headersIn, {
      main: request.main,
      prev: request,
    })
    copyClient(next, request)
    next.method = request.method
    next.methodNumber = request.methodNumber
    next.headerOnly = request.headerOnly
    next.status = request.status
    next.redirectDepth = request.redirectDepth + 1
    next.subrequestDepth = request.subrequestDepth
    next.adoptErrHeaders(request)
    for (const [name, value] of request.existingEnv ?? []) next.env.set(`REDIRECT_${name}`, value)
    next.env.set('REDIRECT_STATUS', String(request.status))
    if (request.existingNotes?.has('redirect-keeps-vary') === true) keepVary(next, request)
    setTarget(next, uri)
    request.next = next
    return next
  }
}

function copyClient(to: RequestRecord, from: RequestRecord): void {
  to.requestLine = from.requestLine
  to.protocol = from.protocol
  to.version = from.version
  to.hostname = from.hostname
  to.namesHost = from.namesHost
  to.hostPort = from.hostPort
  to.useragentAddress = from.useragentAddress
  to.useragentPort = from.useragentPort
  to.clientName = from.clientName
  to.receivedAt = from.receivedAt
  to.receivedAtUs = from.receivedAtUs
  to.logId = from.logId
}

/** Why this and no other target was chosen depended on these fields. */
function keepVary(to: RequestRecord, from: RequestRecord): void {
  const vary = from.existingHeadersOut?.get('Vary')
  if (vary !== undefined) to.headersOut.set('Vary', vary)
}

function setTarget(request: RequestRecord, uri: string): void {
  const target = parseTarget(uri)
  request.unparsedUri = uri
  request.uri = target.error === '' ? target.path : uri
  request.args = target.query
}

function refused(sub: RequestRecord, outcome: Outcome): RequestRecord {
  sub.status = outcome
  return sub
}

function settle(sub: RequestRecord, outcome: MaybePromise<Outcome>): MaybePromise<RequestRecord> {
  if (typeof outcome !== 'number') return outcome.then((settled) => withStatus(sub, settled))
  return withStatus(sub, outcome)
}

function withStatus(sub: RequestRecord, outcome: Outcome): RequestRecord {
  if (outcome !== OK && outcome !== DONE) sub.status = outcome
  return sub
}
