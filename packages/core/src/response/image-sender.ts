import { DONE, OK, type Outcome } from '@gatewright/api'
import { HTTP_0_9 } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import { SmallFile } from '../services/file-cache.ts'
import type { HeadWriter } from './head.ts'
import { findInvalidField } from './own-fields.ts'

/**
 * Sends small files that are requested often: the bytes of an earlier response again, if no input of its head
 * has changed.
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
    const { body, exchange } = request
    const images = exchange === null ? null : exchange.images
    if (images === null || !(body instanceof SmallFile) || !isPlain(request)) return OK
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

/** A whole file in response to a request without ranges or conditions. */
function isPlain(request: RequestRecord): boolean {
  return (
    request.status === 200 &&
    request.reason === null &&
    !request.headerOnly &&
    !request.lengthUnstated &&
    request.errorStatus === 0 &&
    request.version !== HTTP_0_9 &&
    !request.forcedTo10 &&
    request.contentEncoding === null &&
    request.contentLanguages.length === 0 &&
    request.headersIn.get('range') === undefined
  )
}
