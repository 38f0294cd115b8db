import type { FileInfo } from '@gatewright/api'
import { joinEtags } from '../base/etag.ts'
import { effectiveEtag } from '../base/etag-bits.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { ValidatorCache, Validators } from '../services/validator-cache.ts'

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
  const sent = request.variantsTag === null && request.prev === null ? own : withVariants(own, request)
  request.modifiedMs = info.mtimeMs
  request.headersOut.set('Last-Modified', sent.lastModified)
  if (bits === 0) request.notes.set('no-etag', 'omit')
  if (sent.etag === null) return sent
  // A note of httpd: the response is not the file as it is.
  if (request.existingNotes?.has('no-etag') === true) return { ...sent, etag: null }
  request.headersOut.set('ETag', sent.etag)
  return sent
}

/** Adds to the ETag the lists of variants that negotiation consulted for this request, the last one first. */
function withVariants(own: Validators, request: RequestRecord): Validators {
  let { etag } = own
  for (let each: RequestRecord | null = request; each !== null && etag !== null; each = each.prev)
    if (each.variantsTag !== null) etag = joinEtags(etag, each.variantsTag)
  return etag === own.etag ? own : { ...own, etag }
}
