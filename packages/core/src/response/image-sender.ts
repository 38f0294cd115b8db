import { DONE, OK, type Outcome } from '@gatewright/api'
import { HTTP_0_9 } from '@gatewright/http'
import type { RepeatedBody } from '../model/repeated-body.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { SmallFile } from '../services/file-cache.ts'
import { COMMON_PAGES } from './error-page.ts'
import type { HeadWriter } from './head.ts'
import { findInvalidField } from './own-fields.ts'

/**
 * Sends small files and error pages that are requested often: the bytes of an earlier response again, if no input
 * of its head has changed.
 */
export class ImageSender {
  readonly #heads: HeadWriter

  constructor(heads: HeadWriter) {
    this.#heads = heads
  }

  /**
   * Sends the response and returns DONE; returns OK, without effect on the request, if the response must be
   * built. Fields that modules set are checked only when the bytes are made.
   */
  send(request: RequestRecord): Outcome {
    const { exchange } = request
    const images = exchange === null ? null : exchange.images
    const body = images === null ? null : repeatedBody(request)
    if (images === null || body === null || !isPlain(request)) return OK
    let bytes = body.image === null ? null : this.#heads.again(body.image, request, images)
    if (bytes === null) {
      if (!this.#heads.isRequestedOften(request, body) || findInvalidField(request) !== null) return OK
      bytes = this.#heads.image(request, body, images).wire.bytes
    }
    request.bodyBytesSent = body.content.length
    request.answer.begin(request)
    images.sendImage(bytes, request)
    return DONE
  }
}

/** A small file, or the page of an error; null for another body. */
function repeatedBody({ body, status, errorStatus }: RequestRecord): RepeatedBody | null {
  if (status === 200) return errorStatus === 0 && body instanceof SmallFile ? body : null
  return typeof body === 'string' && errorStatus === status ? COMMON_PAGES.pageOf(status, body) : null
}

/** A whole body in response to a request without ranges, with nothing special about its head or its pace. */
function isPlain(request: RequestRecord): boolean {
  return (
    request.reason === null &&
    !request.headerOnly &&
    !request.lengthUnstated &&
    request.proxyRequest === null &&
    request.sendRate === null &&
    request.version !== HTTP_0_9 &&
    !request.forcedTo10 &&
    request.contentEncoding === null &&
    request.contentLanguages.length === 0 &&
    request.headersIn.get('range') === undefined
  )
}
