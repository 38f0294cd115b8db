import {
  type FileInfo,
  HTTP_FORBIDDEN,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_NOT_FOUND,
  HTTP_NOT_IMPLEMENTED,
  M_GET,
  M_INVALID,
  M_OPTIONS,
  M_POST,
  type MaybePromise,
  OK,
  type Outcome,
} from '@gatewright/api'
import { ETAG_DIGEST, effectiveEtag } from '../base/etag-bits.ts'
import type { StatCache } from '../base/file-info.ts'
import { sameVersion } from '../base/file-version.ts'
import { allowMethods } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { meetsConditions } from '../response/conditions.ts'
import { setValidators } from '../response/set-validators.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import type { DigestAlgorithm, FileDigests } from '../services/file-digests.ts'
import type { ValidatorCache } from '../services/validator-cache.ts'
import { sendOptions } from './answer-without-file.ts'
import type { RequestBodies } from './request-bodies.ts'

const STANDARD_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** What the default handler depends on. */
export interface DefaultHandlerContext {
  readonly stats: StatCache
  readonly files: FileCache
  readonly validators: ValidatorCache
  readonly digests: FileDigests
  readonly bodies: RequestBodies
  readonly log: CoreLog
}

/** Serves the files that no module handles. Runs as the last of all handlers, and never declines. */
export function defaultHandler(request: RequestRecord, context: DefaultHandlerContext): MaybePromise<Outcome> {
  // The server reads and discards an unused body before it responds, because the body itself may be rejected.
  const discarded = context.bodies.discard(request)
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
  const sent = setValidators(request, info, validators, own?.sha1 ?? null)
  headers.set('Accept-Ranges', request.config.core.maxRanges === 0 ? 'none' : 'bytes')
  headers.set('Content-Length', sent.length)
  request.respond(body)
  if (own !== null && own.md5 !== null) headers.set('Content-MD5', own.md5)
  // An error document is sent regardless of the request's conditions.
  if (request.status !== 200 || request.ignoresConditions) return OK
  const met = meetsConditions(
    request.headersIn,
    request.methodNumber === M_GET ? 'read' : 'other',
    sent.etag,
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
 * Calls stat again if the request waited for a password or a name after the first call, because the header
 * fields must describe the bytes that are sent.
 */
function presentInfo(request: RequestRecord, stats: StatCache): FileInfo | null {
  const known = request.fileInfo
  if (known === null || known.kind !== 'file') return known
  const present = stats.stat(request.filename)
  if (typeof present !== 'string' && present !== known && present.kind === 'file' && !sameVersion(present, known))
    request.fileInfo = present
  return request.fileInfo
}
