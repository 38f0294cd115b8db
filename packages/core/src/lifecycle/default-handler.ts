import {
  DONE,
  type FileInfo,
  HTTP_FORBIDDEN,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_NOT_FOUND,
  HTTP_NOT_IMPLEMENTED,
  httpStatus,
  M_GET,
  M_INVALID,
  M_OPTIONS,
  M_POST,
  type MaybePromise,
  OK,
  type Outcome,
} from '@gatewright/api'
import { fileEtag, joinEtags } from '../base/etag.ts'
import { ETAG_DIGEST, ETAG_MTIME, effectiveEtag } from '../base/etag-bits.ts'
import type { StatCache } from '../base/file-info.ts'
import { sameVersion } from '../base/file-version.ts'
import { allowHeader, allowMethods } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { meetsConditions } from '../response/conditions.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import type { DigestAlgorithm, FileDigests } from '../services/file-digests.ts'
import type { ValidatorCache, Validators } from '../services/validator-cache.ts'

const STANDARD_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** What the default handler depends on. */
export interface DefaultHandlerContext {
  readonly stats: StatCache
  readonly files: FileCache
  readonly validators: ValidatorCache
  readonly digests: FileDigests
  readonly log: CoreLog
}

/** Serves the files that no module handles. Runs as the last of all handlers, and never declines. */
export function defaultHandler(request: RequestRecord, context: DefaultHandlerContext): MaybePromise<Outcome> {
  // The server reads and discards an unused body before it responds, because the body itself may be rejected.
  const discarded = request.discardBody()
  if (typeof discarded !== 'number') return discarded.then((outcome) => (outcome === OK ? serve(request, context) : outcome))
  return discarded === OK ? serve(request, context) : discarded
}

function serve(request: RequestRecord, context: DefaultHandlerContext): MaybePromise<Outcome> {
  if (request.methodNumber === M_GET || request.methodNumber === M_POST) {
    const { core } = request.config
    const hasDigest = (effectiveEtag(core.etag) & ETAG_DIGEST) !== 0 || core.contentDigest === true
    return hasDigest ? serveWithDigests(request, context) : serveFile(request, context, null)
  }
  // Every response from here on lists the allowed methods.
  allowMethods(request, STANDARD_METHODS)
  if (request.methodNumber === M_INVALID) {
    context.log.write(request, 'error', 'AH00135', `Invalid method in request ${request.requestLine}`)
    return HTTP_NOT_IMPLEMENTED
  }
  if (request.methodNumber === M_OPTIONS) return sendOptions(request)
  return HTTP_METHOD_NOT_ALLOWED
}

/** OPTIONS: responds with the allowed methods and no body. */
export function sendOptions(request: RequestRecord): Outcome {
  if (request.uri !== '*') request.headersOut.set('Allow', allowHeader(request))
  request.respond('')
  return OK
}

/** Digests of one version of a file; null for a digest that is not requested or not available. */
interface Digests {
  readonly info: FileInfo
  readonly sha1: string | null
  readonly md5: string | null
}

/** The digests of a large file are computed asynchronously. */
function serveWithDigests(request: RequestRecord, context: DefaultHandlerContext): MaybePromise<Outcome> {
  const info = presentInfo(request, context.stats)
  if (info === null || info.kind !== 'file') return serveFile(request, context, null)
  const { core } = request.config
  const of = (algorithm: DigestAlgorithm): MaybePromise<string | null> => {
    try {
      const digest = context.digests.of(request.filename, info, algorithm)
      return typeof digest === 'string' ? digest : digest.catch(() => null)
    } catch {
      // An unreadable file is rejected when it is sent.
      return null
    }
  }
  const sha1 = (effectiveEtag(core.etag) & ETAG_DIGEST) === 0 ? null : of('sha1')
  const md5 = core.contentDigest === true ? of('md5') : null
  if (!(sha1 instanceof Promise) && !(md5 instanceof Promise)) return serveFile(request, context, { info, sha1, md5 })
  return Promise.all([sha1, md5]).then(([sha1, md5]) => serveFile(request, context, { info, sha1, md5 }))
}

function serveFile(
  request: RequestRecord,
  { stats, files, validators, log }: DefaultHandlerContext,
  digests: Digests | null,
): Outcome {
  const info = presentInfo(request, stats)
  if (info === null) {
    log.write(request, 'info', 'AH00128', `File does not exist: ${request.filename}${request.pathInfo}`)
    return HTTP_NOT_FOUND
  }
  if (info.kind === 'directory') {
    log.write(request, 'info', 'AH00129', `Attempt to serve directory: ${request.filename}`)
    return HTTP_NOT_FOUND
  }
  if (request.pathInfo !== '' && request.config.core.acceptPathInfo !== 'on') {
    log.write(request, 'info', 'AH00130', `File does not exist: ${request.filename}${request.pathInfo}`)
    return HTTP_NOT_FOUND
  }
  const body = files.body(request.filename, info)
  if (body instanceof Error) {
    log.write(request, 'error', 'AH00132', `file permissions deny server access: ${request.filename}${request.pathInfo}`, body)
    return HTTP_FORBIDDEN
  }
  const headers = request.headersOut
  const nowMs = request.receivedAt
  // If the file changed while its digests were computed, the response carries none of them.
  const own = digests !== null && sameVersion(digests.info, info) ? digests : null
  const told = setValidators(request, info, validators, own?.sha1 ?? null)
  headers.set('Accept-Ranges', request.config.core.maxRanges === 0 ? 'none' : 'bytes')
  headers.set('Content-Length', told.length)
  request.respond(body)
  if (own !== null && own.md5 !== null) headers.set('Content-MD5', own.md5)
  // An error document is sent regardless of the request's conditions.
  if (request.status !== 200) return OK
  const met = meetsConditions(
    request.headersIn,
    request.methodNumber === M_GET ? 'read' : 'other',
    told.etag,
    info.mtimeMs,
    nowMs,
  )
  if (met === 'ok') return OK
  request.status = met === 'not-modified' ? 304 : 412
  // The response to HEAD carries the length of the file but no body.
  if (met === 'not-modified' || !request.headerOnly) request.respond('')
  return OK
}

/**
 * Evaluates the request's conditions against the response that its fields describe: OK, 304 or 412. An error
 * page is sent regardless of the conditions.
 */
export function outcomeOfConditions(request: RequestRecord): Outcome {
  if (request.status !== 200) return OK
  const met = meetsConditions(
    request.headersIn,
    request.methodNumber === M_GET ? 'read' : 'other',
    request.existingHeadersOut?.get('ETag') ?? null,
    request.modifiedMs,
    request.receivedAt,
  )
  return met === 'ok' ? OK : httpStatus(met === 'not-modified' ? 304 : 412)
}

/**
 * Looks at the file again if the request waited for a password or a name after the first look, because the
 * header fields must describe the bytes that are sent.
 */
function presentInfo(request: RequestRecord, stats: StatCache): FileInfo | null {
  const known = request.fileInfo
  if (known === null || known.kind !== 'file') return known
  const present = stats.stat(request.filename)
  if (typeof present !== 'string' && present !== known && present.kind === 'file' && !sameVersion(present, known))
    request.fileInfo = present
  return request.fileInfo
}

/**
 * Sets the validators that identify the version of the file or folder.
 * @param digest see {@link ValidatorCache.of}
 */
export function setValidators(
  request: RequestRecord,
  info: FileInfo,
  validators: ValidatorCache,
  digest?: string | null,
): Validators {
  const bits = effectiveEtag(request.config.core.etag)
  const own = validators.of(request.filename, info, bits, request.receivedAt, digest)
  const told = request.variantsFrom === null && request.prev === null ? own : withVariants(own, request)
  request.modifiedMs = info.mtimeMs
  request.headersOut.set('Last-Modified', told.lastModified)
  if (told.etag !== null) request.headersOut.set('ETag', told.etag)
  return told
}

/** Adds to the ETag the lists of variants that negotiation consulted for this request, the last one first. */
function withVariants(own: Validators, request: RequestRecord): Validators {
  let { etag } = own
  for (let each: RequestRecord | null = request; each !== null && etag !== null; each = each.prev) {
    const list = each.variantsFrom === null ? null : listEtag(each, each.variantsFrom)
    if (list !== null) etag = joinEtags(etag, list)
  }
  return etag === own.etag ? own : { ...own, etag }
}

/** For a folder that names variants, only the modification time identifies the version. */
function listEtag({ config, receivedAt }: RequestRecord, from: FileInfo): string | null {
  const bits = effectiveEtag(config.core.etag)
  return fileEtag(from, from.kind === 'directory' && bits !== 0 ? ETAG_MTIME : bits, receivedAt)
}

/**
 * TRACE and `OPTIONS *` end before the server looks for a file.
 * @param httpLog receives messages about bodies
 */
export function answerWithoutFile(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> | null {
  if (request.method === 'TRACE' && request.main === null) return trace(request, httpLog)
  if (request.method === 'OPTIONS' && request.uri === '*') {
    sendOptions(request)
    return DONE
  }
  return null
}

function trace(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  const setting = request.server.core.traceEnable ?? 'on'
  if (setting === 'off') {
    request.notes.set('error-notes', 'TRACE forbidden by server configuration')
    return HTTP_METHOD_NOT_ALLOWED
  }
  const { exchange } = request
  const hasBody = exchange !== null && exchange.bodyFraming !== 'none' && exchange.contentLength !== 0
  if (hasBody && setting !== 'extended') {
    httpLog.write(request, 'info', 'AH01595', `TRACE with body is not allowed for ${request.uri}`)
    request.notes.set('error-notes', 'TRACE with a request body is not allowed')
    return httpStatus(413)
  }
  request.contentType = 'message/http'
  request.respond(echo(request, hasBody))
  return DONE
}

/** The request as it was received; a stream, because the response does not state its length. */
async function* echo(request: RequestRecord, withBody: boolean): AsyncGenerator<string | Uint8Array> {
  let head = `${request.requestLine}\r\n`
  for (const [name, value] of request.headersIn) head += `${name}: ${value}\r\n`
  yield `${head}\r\n`
  if (withBody) yield* request.readBody()
}
